package io.millrace.plugin.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.plugin.sources.JavaSource;
import io.millrace.plugin.sources.Repository;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The suffix of a test class says what it proves: CONTRIBUTING.md has the table of kinds, and this
 * test reads it there, so that the page cannot say anything else.
 */
class TestKindRulesTest {
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern INCLUDE = Pattern.compile("<include>\\*\\*/\\*(\\w+)\\.java");
  private static final Pattern TESTS =
      Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|TestFactory|Benchmark)\\b");

  /** A test method of JUnit 4, as the test cases of OpenSearch and Lucene find them. */
  private static final Pattern OLD_TESTS = Pattern.compile("\\bpublic void test\\w*\\(");

  /** One row of the table. */
  private record Kind(String suffix, String bases, String where, boolean inVerify) {
    static Kind of(String row) {
      String[] cells = row.split("\\|", -1);
      assertEquals(7, cells.length, "kind, suffix, extends, where and runs in of " + row);
      String suffix = quoted(cells[2]).findFirst().orElseThrow();
      return new Kind(suffix.substring(1), cells[3], cells[4], cells[5].contains("`verify`"));
    }

    /** Whether its row names this class as one to extend, by a pattern with stars. */
    boolean names(String base) {
      return quoted(bases).anyMatch(pattern -> base.matches(pattern.replace("*", "\\w*")));
    }

    boolean allows(String base, List<Kind> all) {
      if (bases.contains("anything")) {
        return true;
      }
      return quoted(bases).findAny().isPresent()
          ? names(base)
          : all.stream().noneMatch(kind -> kind.names(base));
    }

    boolean stands(String module) {
      return where.contains("every module")
          || (where.contains("domains") && Directions.DOMAINS.contains(module))
          || quoted(where).anyMatch(module::equals);
    }
  }

  private static Stream<String> quoted(String cell) {
    return QUOTED.matcher(cell).results().map(match -> match.group(1));
  }

  private final List<Kind> kinds = kinds();
  private final Map<String, JavaSource> byName = new HashMap<>();

  /** Test classes that are not abstract, and what bears a suffix of the table. */
  private final List<JavaSource> tests = new ArrayList<>();

  TestKindRulesTest() {
    List<JavaSource> sources =
        Repository.javaSources().stream().filter(source -> !source.product()).toList();
    sources.forEach(source -> byName.put(source.typeName(), source));
    sources.stream().filter(this::isTest).forEach(tests::add);
  }

  private static List<Kind> kinds() {
    List<Kind> kinds =
        Repository.read(Repository.root().resolve("CONTRIBUTING.md"))
            .lines()
            .filter(line -> line.startsWith("| ") && line.contains("`*"))
            .map(Kind::of)
            .toList();
    assertFalse(kinds.isEmpty(), "CONTRIBUTING.md has no table of test kinds");
    return kinds;
  }

  private Optional<Kind> kind(JavaSource source) {
    return kinds.stream()
        .filter(kind -> source.typeName().endsWith(kind.suffix()))
        .max(Comparator.comparing(kind -> kind.suffix().length()));
  }

  private boolean isTest(JavaSource source) {
    String name = source.typeName();
    boolean isAbstract = source.code().contains("abstract class " + name + " ");
    boolean old = OLD_TESTS.matcher(source.code()).find() && base(source).endsWith("TestCase");
    return !isAbstract && (old || TESTS.matcher(source.code()).find() || kind(source).isPresent());
  }

  /** The first class above a test that is not of this repository; empty where there is none. */
  private String base(JavaSource source) {
    String name = source.superclass();
    while (byName.containsKey(name)) {
      name = byName.get(name).superclass();
    }
    return name;
  }

  @Test
  void everyTestIsOfAKind() {
    List<String> wrong = new ArrayList<>();
    for (JavaSource test : tests) {
      Optional<Kind> kind = kind(test);
      if (kind.isEmpty()) {
        wrong.add(test.path() + " has no suffix of the table");
      } else if (!kind.get().allows(base(test), kinds)) {
        wrong.add(test.path() + " extends " + base(test) + ": not a *" + kind.get().suffix());
      } else if (!kind.get().stands(test.module())) {
        wrong.add(test.path() + ": a *" + kind.get().suffix() + " stands in" + kind.get().where());
      }
    }
    assertEquals(List.of(), wrong, "see the kinds of test in CONTRIBUTING.md");
  }

  @Test
  void whatBearsASuffixHoldsTests() {
    assertEquals(
        List.of(),
        tests.stream()
            .filter(test -> !TESTS.matcher(test.code()).find())
            .filter(test -> !base(test).endsWith("TestCase"))
            .map(JavaSource::path)
            .toList(),
        "named as tests without a test in them");
  }

  @Test
  void everyKindHasMembers() {
    Set<String> suffixes =
        kinds.stream().map(Kind::suffix).collect(Collectors.toCollection(TreeSet::new));
    tests.forEach(test -> kind(test).map(Kind::suffix).ifPresent(suffixes::remove));
    assertEquals(Set.of(), suffixes, "kinds in CONTRIBUTING.md that no class is of");
  }

  /** Surefire and failsafe choose by the suffix: a class that they do not know would never run. */
  @Test
  void whatRunsInVerifyIsIncluded() {
    Matcher include = INCLUDE.matcher(Repository.read(Repository.root().resolve("pom.xml")));
    Set<String> included = new TreeSet<>();
    while (include.find()) {
      included.add(include.group(1));
    }
    for (Kind kind : kinds) {
      assertEquals(
          kind.inVerify(),
          included.stream().anyMatch(kind.suffix()::endsWith),
          "*" + kind.suffix() + " in pom.xml's includes " + included);
    }
  }
}
