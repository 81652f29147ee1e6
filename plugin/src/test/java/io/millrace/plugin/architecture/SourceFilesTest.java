package io.millrace.plugin.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.plugin.sources.JavaSource;
import io.millrace.plugin.sources.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is seen in the sources only. */
class SourceFilesTest {
  private static final int MOST_LINES = 450;

  private static final Pattern MACHINE =
      Pattern.compile("^(/home/|/root/|/work/|/Users/)|https?://(10|172|192)\\.");

  private final List<JavaSource> sources = Repository.javaSources();

  @Test
  void filesStayShort() {
    assertEquals(
        List.of(),
        sources.stream()
            .filter(source -> lines(source) > MOST_LINES)
            .map(source -> source.path() + ": " + lines(source))
            .toList(),
        "more than " + MOST_LINES + " lines");
  }

  private static long lines(JavaSource source) {
    return source.text().lines().count();
  }

  @Test
  void nothingOfOneMachine() {
    assertEquals(
        List.of(),
        sources.stream()
            .flatMap(source ->
                source.literals().stream()
                    .filter(literal -> MACHINE.matcher(literal.text()).find())
                    .map(literal -> source.path() + ":" + literal.line()))
            .toList(),
        "an absolute path or address of one machine");
  }

  @Test
  void everyNameIsOneClass() {
    Map<String, List<String>> paths =
        sources.stream()
            .filter(source -> source.path().contains("/src/main/java/"))
            .filter(source -> !source.file().endsWith("package-info.java"))
            .collect(
                Collectors.groupingBy(
                    source -> source.file().getFileName().toString(),
                    TreeMap::new,
                    Collectors.mapping(JavaSource::path, Collectors.toList())));
    assertFalse(paths.isEmpty());
    assertEquals(
        List.of(),
        paths.values().stream().filter(each -> each.size() > 1).toList(),
        "two classes of one name: whoever reads it has to ask which");
  }

  @Test
  void everyPackageIsNullMarked() {
    assertEquals(
        List.of(),
        sources.stream()
            .filter(JavaSource::product)
            .map(source -> source.file().resolveSibling("package-info.java"))
            .distinct()
            .filter(marker -> !nullMarked(marker))
            .toList(),
        "packages without @NullMarked in package-info.java");
  }

  private static boolean nullMarked(Path marker) {
    return Files.exists(marker) && Repository.read(marker).contains("@NullMarked");
  }

  @Test
  void sourcesAreFound() {
    assertTrue(sources.size() > 20);
  }
}
