package io.millrace.plugin.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;
import org.opensearch.action.support.TransportAction;
import org.opensearch.rest.RestHandler;

/** Directions, names and state, as docs of the house state them. */
class ArchitectureTest {
  private static final String[] DOMAINS =
      Directions.DOMAINS.stream()
          .map(domain -> "io.millrace." + domain + "..")
          .toArray(String[]::new);

  private final JavaClasses code =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.millrace");

  @Test
  void kernelKnowsNobody() {
    noClasses()
        .that()
        .resideInAPackage("io.millrace.kernel..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.millrace..")
                .and(DescribedPredicate.not(resideInAPackage("io.millrace.kernel.."))))
        .check(code);
  }

  @Test
  void domainsKnowOnlyTheKernel() {
    noClasses()
        .that()
        .resideInAnyPackage(DOMAINS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.millrace.plugin..")
        .check(code);
    slices()
        .matching("io.millrace.(" + String.join("|", Directions.DOMAINS) + ")..")
        .should()
        .notDependOnEachOther()
        .check(code);
  }

  /** As {@link ModuleRulesTest} in the sources; here also what is used without being named. */
  @Test
  void packagesFormNoCycle() {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return SliceIdentifier.of(type.getPackageName());
              }

              @Override
              public String getDescription() {
                return "packages";
              }
            })
        .should()
        .beFreeOfCycles()
        .check(code);
  }

  @Test
  void handlersAndActionsAreNamedInPairs() {
    classes()
        .that()
        .areAssignableTo(RestHandler.class)
        .and()
        .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT)
        .should()
        .haveNameMatching(".*\\.Rest\\w+Action")
        .check(code);
    classes()
        .that()
        .areAssignableTo(TransportAction.class)
        .should()
        .haveNameMatching(".*\\.Transport\\w+Action")
        .check(code);
  }

  @Test
  void namesSayWhatAClassIs() {
    noClasses()
        .that()
        .areNotAnonymousClasses()
        .should()
        .haveNameMatching(".*(Manager|Helper|Utils?|Impl)")
        .check(code);
  }

  @Test
  void noStaticMutableState() {
    fields()
        .that()
        .areStatic()
        .and()
        .areDeclaredInClassesThat(
            new DescribedPredicate<JavaClass>("are not made by the compiler") {
              @Override
              public boolean test(JavaClass type) {
                return !type.getName().contains("$SwitchMap$") && !type.isAnonymousClass();
              }
            })
        .and()
        .doNotHaveName("$assertionsDisabled")
        .should()
        .beFinal()
        .check(code);
  }

  /**
   * Outside the data path (engines, codecs and Lucene's directories do their own reading) files and
   * sockets are reached through PrivilegedAccess only: the node's agent refuses anything else.
   */
  @Test
  void filesAndSocketsThroughPrivilegedAccess() {
    noClasses()
        .that()
        .resideInAPackage("io.millrace..")
        .and()
        .resideOutsideOfPackages("io.millrace.storage..", "io.millrace.kernel..")
        .and(
            DescribedPredicate.not(
                com.tngtech.archunit.core.domain.JavaClass.Predicates.containAnyMethodsThat(
                    new DescribedPredicate<>("call PrivilegedAccess") {
                      @Override
                      public boolean test(com.tngtech.archunit.core.domain.JavaMethod method) {
                        return method.getMethodCallsFromSelf().stream()
                            .anyMatch(call ->
                                call.getTargetOwner()
                                    .getName()
                                    .equals("io.millrace.kernel.PrivilegedAccess"));
                      }
                    })))
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.(net\\.(Socket|ServerSocket|URL|HttpURLConnection|http\\..*)|nio\\.file\\.Files|nio\\.channels\\.\\w*Channel|io\\.(File|RandomAccessFile|File\\w+Stream|FileReader|FileWriter))")
        .check(code);
  }
}
