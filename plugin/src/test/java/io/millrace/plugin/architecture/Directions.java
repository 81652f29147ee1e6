package io.millrace.plugin.architecture;

import io.millrace.kernel.Feature;
import io.millrace.plugin.Features;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which module may know which, by the names of their folders.
 *
 * <p>A domain is what {@link Features} lists features of: nobody has to name it here. Every other
 * module of the reactor has a line of its own below; one without a line is refused by the test.
 */
final class Directions {
  /** The domains of this build, the first part of the features' ids. */
  static final Set<String> DOMAINS =
      Features.all().stream()
          .map(Feature::id)
          .map(id -> id.substring(0, id.indexOf('.')))
          .collect(Collectors.toCollection(LinkedHashSet::new));

  /** What a module's product code may name beside itself. */
  private static final Map<String, Set<String>> MAY_KNOW = new HashMap<>();

  /** What its tests and micro benchmarks may name beyond that. */
  private static final Map<String, Set<String>> TESTS_MAY_KNOW = new HashMap<>();

  /** Modules that reach a cluster over HTTP or as a process, never as classes. */
  static final Set<String> WITHOUT_SERVER =
      Set.of("corpus", "credential", "client", "launcher", "doctor", "cli", "testkit");

  static {
    line("credential");
    line("kernel");
    line("corpus");
    DOMAINS.forEach(domain -> line(domain, "kernel"));
    DOMAINS.forEach(domain -> tests(domain, "corpus"));
    // the launcher writes the first password as the node reads it
    line("access", "kernel", "credential");
    // its nodes read what the command makes
    tests("access", "corpus", "client", "launcher");
    line("plugin", Stream.concat(Stream.of("kernel"), DOMAINS.stream()).toArray(String[]::new));
    tests("plugin", "credential");
    line("client");
    line("launcher", "client", "credential");
    line("doctor", "client");
    line("cli", "client", "launcher", "doctor", "corpus", "credential");
    line("distribution/keystore-cli");
    line("distribution/agent");
    line("distribution");
    line("testkit", "corpus", "client", "launcher");
    line("benchmarks", "corpus", "client", "launcher", "testkit");
    // the micro benchmarks of a domain's hot classes call them
    tests(
        "benchmarks", Stream.concat(Stream.of("kernel"), DOMAINS.stream()).toArray(String[]::new));
    line("it");
    tests("it", "corpus", "client", "launcher", "cli", "doctor", "testkit", "plugin", "kernel");
  }

  private Directions() {}

  private static void line(String module, String... mayKnow) {
    MAY_KNOW.put(module, Set.of(mayKnow));
  }

  private static void tests(String module, String... mayKnow) {
    TESTS_MAY_KNOW.put(module, Set.of(mayKnow));
  }

  /** Modules of the reactor that have no line. */
  static List<String> unnamed(List<String> modules) {
    return modules.stream().filter(module -> !MAY_KNOW.containsKey(module)).toList();
  }

  /** What a module may name, itself included. */
  static Set<String> mayKnow(String module, boolean test) {
    Set<String> known = new TreeSet<>(MAY_KNOW.getOrDefault(module, Set.of()));
    known.add(module);
    if (test) {
      known.addAll(TESTS_MAY_KNOW.getOrDefault(module, Set.of()));
    }
    return known;
  }
}
