package io.millrace.it.contents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the distribution carries: every jar has a stated licence that fits Apache-2.0, none is older
 * than the version that closed a published hole. The lists stand in {@code distribution/legal};
 * there is no network in this test.
 */
class DistributionContentsIT {
  private static final Set<String> ALLOWED =
      Set.of("Apache-2.0", "MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "EPL-2.0");

  /** The one jar of our own that {@code bin/opensearch} names, so that its name never changes. */
  private static final String UNVERSIONED = "millrace-agent.jar";

  /** {@code name-1.2.3[-qualifier].jar}; a Millrace jar is our own. */
  private static final Pattern JAR =
      Pattern.compile(
          "(?<name>.+?)-(?<version>\\d+(\\.\\d+)*([.-](Final|RELEASE|fips|\\d+|[a-z]+-?\\w*))*)\\.jar");

  private record Jar(String name, String version, Path path) {}

  private static Path repository() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(at.resolve("distribution/legal"))) {
      at = at.getParent();
    }
    return at;
  }

  private static Path tree() throws IOException {
    try (Stream<Path> entries = Files.list(repository().resolve("distribution/target"))) {
      return entries
          .filter(Files::isDirectory)
          .filter(path -> path.getFileName().toString().startsWith("millrace-"))
          .findFirst()
          .orElseThrow(() ->
              new AssertionError(
                  "no distribution/target/millrace-*: run mvn -pl distribution -am package -DskipTests"));
    }
  }

  private static List<Jar> jars() throws IOException {
    List<Jar> jars = new ArrayList<>();
    try (Stream<Path> files = Files.walk(tree())) {
      for (Path path : files.filter(p -> p.toString().endsWith(".jar")).toList()) {
        String file = path.getFileName().toString();
        if (file.equals(UNVERSIONED)) {
          continue;
        }
        Matcher matcher = JAR.matcher(file);
        assertTrue(matcher.matches(), "a jar without a version in its name: " + path);
        jars.add(new Jar(matcher.group("name"), matcher.group("version"), path));
      }
    }
    assertTrue(jars.size() > 100, "only " + jars.size() + " jars: is this a whole node?");
    return jars;
  }

  private static Map<String, String[]> rows(String file) throws IOException {
    return Files.readAllLines(repository().resolve("distribution/legal").resolve(file)).stream()
        .filter(line -> !line.startsWith("#") && !line.isBlank())
        .map(line -> line.split("\t", -1))
        .collect(Collectors.toMap(row -> row[0], row -> row, (a, b) -> a, TreeMap::new));
  }

  @Test
  void everyJarHasAStatedLicenceThatFits() throws IOException {
    Map<String, String[]> licences = rows("licenses.tsv");
    Set<String> unlisted = new TreeSet<>();
    Set<String> unseen = new TreeSet<>(licences.keySet());
    for (Jar jar : jars()) {
      if (jar.name().startsWith("millrace-")) {
        continue;
      }
      unseen.remove(jar.name());
      String[] row = licences.get(jar.name());
      if (row == null) {
        unlisted.add(jar.name());
      } else {
        assertTrue(
            Arrays.stream(row[2].split(" OR ")).anyMatch(ALLOWED::contains),
            jar.name() + " has a licence that does not fit: " + row[2]);
      }
    }
    assertEquals(Set.of(), unlisted, "jars without a row in distribution/legal/licenses.tsv");
    assertEquals(Set.of(), unseen, "rows in distribution/legal/licenses.tsv without a jar");
  }

  @Test
  void noJarIsOlderThanThePublishedFix() throws IOException {
    Map<String, String[]> holes = rows("known-holes.tsv");
    int checked = 0;
    for (Jar jar : jars()) {
      String[] hole = holes.get(jar.name());
      if (hole != null) {
        checked++;
        assertFalse(
            compare(jar.version(), hole[1]) < 0,
            jar.path().getFileName() + " is older than " + hole[1] + ": " + hole[2]);
      }
    }
    assertTrue(checked > 5, "the list of holes names too few of our jars: " + checked);
  }

  @Test
  void versionsCompareNumberByNumber() {
    assertTrue(compare("2.9.1", "2.17.1") < 0);
    assertTrue(compare("4.2.16.Final", "4.1.125") > 0);
    assertTrue(compare("1.5.7-6", "1.5.4") > 0);
    assertEquals(0, compare("32.0.0-jre", "32.0.0"));
  }

  private static int compare(String left, String right) {
    int[] a = numbers(left);
    int[] b = numbers(right);
    for (int i = 0; i < Math.min(a.length, b.length); i++) {
      if (a[i] != b[i]) {
        return Integer.compare(a[i], b[i]);
      }
    }
    return Integer.compare(a.length, b.length);
  }

  private static int[] numbers(String version) {
    return Arrays.stream(version.split("[.-]"))
        .filter(part -> part.matches("\\d+"))
        .mapToInt(Integer::parseInt)
        .toArray();
  }
}
