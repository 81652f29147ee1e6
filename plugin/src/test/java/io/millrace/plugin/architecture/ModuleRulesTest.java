package io.millrace.plugin.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.plugin.sources.JavaSource;
import io.millrace.plugin.sources.Repository;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What every module of the reactor keeps, read from its sources: the modules that are built after
 * the plugin have no classes for ArchUnit yet.
 */
class ModuleRulesTest {
  private static final Pattern SERVER =
      Pattern.compile("\\borg\\.(opensearch|apache\\.lucene)\\.[a-z]");

  private final List<String> modules = Repository.modules();
  private final List<JavaSource> sources = Repository.javaSources();

  /** Which module a package belongs to: no two may share one, but for micro benchmarks. */
  private Map<String, String> owners() {
    Map<String, String> owners = new HashMap<>();
    for (JavaSource source : sources) {
      if (source.sourceSet().equals("jmh")) {
        continue; // stands in the package of the class that it measures
      }
      String other = owners.putIfAbsent(source.packageName(), source.module());
      assertTrue(
          other == null || other.equals(source.module()),
          () -> source.path() + ": " + source.packageName() + " belongs to " + other);
    }
    return owners;
  }

  @Test
  void everyModuleHasAPlaceInTheDirections() {
    assertEquals(
        List.of(), Directions.unnamed(modules), "give the module a line in Directions.java");
    assertTrue(
        modules.containsAll(Directions.DOMAINS),
        () -> Directions.DOMAINS + " have features, but not all are modules of pom.xml");
    Set<String> listed = Set.copyOf(modules);
    assertEquals(
        List.of(),
        sources.stream()
            .map(JavaSource::module)
            .distinct()
            .filter(m -> !listed.contains(m))
            .toList(),
        "Java sources outside of the modules of pom.xml");
    modules.forEach(module ->
        assertTrue(Files.exists(Repository.root().resolve(module).resolve("pom.xml")), module));
  }

  @Test
  void modulesKnowOnlyWhatTheyMay() {
    Map<String, String> owners = owners();
    List<String> wrong = new ArrayList<>();
    for (JavaSource source : sources) {
      Set<String> allowed = Directions.mayKnow(source.module(), !source.product());
      for (String named : source.packagesNamed()) {
        String owner = owners.get(named);
        if (owner == null) {
          wrong.add(source.path() + " names the unknown package " + named);
        } else if (!allowed.contains(owner)) {
          wrong.add(source.path() + " knows " + named + " of " + owner);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void clientsKnowNoServer() {
    assertEquals(
        List.of(),
        sources.stream()
            .filter(source -> Directions.WITHOUT_SERVER.contains(source.module()))
            .filter(source -> SERVER.matcher(source.code()).find())
            .map(JavaSource::path)
            .toList(),
        "classes of the server outside of a node");
  }

  /** Of product code and of test code alike: a module is read from one end to the other. */
  @Test
  void packagesOfAModuleFormNoCycle() {
    Map<String, Cycles> graphs = new TreeMap<>();
    for (JavaSource source : sources) {
      Cycles graph =
          graphs.computeIfAbsent(source.module() + " " + source.sourceSet(), name -> new Cycles());
      source.packagesNamed().stream()
          .filter(named -> !named.equals(source.packageName()))
          .forEach(named -> graph.edge(source.packageName(), named));
    }
    List<String> found = new ArrayList<>();
    graphs.forEach(
        (module, graph) -> graph.all().forEach(cycle -> found.add(module + ": " + cycle)));
    assertEquals(List.of(), found, "packages that need each other");
  }
}
