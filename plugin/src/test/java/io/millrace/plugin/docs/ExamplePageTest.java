package io.millrace.plugin.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.plugin.sources.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** "A feature from A to Z" in CONTRIBUTING quotes the example that runs, and names its files. */
class ExamplePageTest {
  private static final Path FOLDER =
      Repository.root().resolve("plugin/src/test/java/io/millrace/plugin/example");

  /** What is there for the tests' sake alone: in the product the domain's own list stands. */
  private static final Set<String> SURROUNDINGS = Set.of("ExampleDomain.java", "package-info.java");

  private static String section() throws IOException {
    String page = Repository.read(Repository.root().resolve("CONTRIBUTING.md"));
    int begin = page.indexOf("\n## A feature from A to Z\n");
    assertTrue(begin >= 0, "CONTRIBUTING.md has no section \"A feature from A to Z\"");
    int end = page.indexOf("\n## ", begin + 1);
    return page.substring(begin, end);
  }

  private static List<String> found(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  @Test
  void quotesWhatIsCompiled() throws IOException {
    String code =
        Repository.read(FOLDER.resolve("SeverityFeature.java"))
            + Repository.read(FOLDER.resolve("ExampleDomain.java"));
    List<String> quotes = found("```java\n(.*?)```", section());
    assertEquals(2, quotes.size());
    for (String quote : quotes) {
      assertTrue(code.contains(quote), "not in the example any more:\n" + quote);
    }
  }

  @Test
  void namesEveryFile() throws IOException {
    Set<String> named = new TreeSet<>(found("\n\\| `(\\w+\\.java)`", section()));
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertEquals(
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !SURROUNDINGS.contains(name))
              .collect(Collectors.toCollection(TreeSet::new)),
          named);
    }
  }

  @Test
  void fitsOnAPage() throws IOException {
    long lines = section().lines().count();
    assertTrue(lines <= 60, "the section has " + lines + " lines, 60 at most");
  }
}
