package io.millrace.plugin.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.plugin.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is seen in the sources only. */
class SourceFilesTest {
  private static final int MOST_LINES = 600;
  private static final Pattern MACHINE =
      Pattern.compile("\"(/home/|/root/|/work/|/Users/)|https?://(10|172|192)\\.");

  @Test
  void filesStayShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path source : Repository.javaSources()) {
      int lines = Repository.read(source).split("\n", -1).length;
      if (lines > MOST_LINES) {
        tooLong.add(source + ": " + lines);
      }
    }
    assertEquals(List.of(), tooLong, "more than " + MOST_LINES + " lines");
  }

  @Test
  void nothingOfOneMachine() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : Repository.javaSources()) {
      if (!source.endsWith("SourceFilesTest.java")
          && MACHINE.matcher(Repository.read(source)).find()) {
        found.add(source.toString());
      }
    }
    assertEquals(List.of(), found, "an absolute path or address of one machine");
  }

  @Test
  void everyPackageIsNullMarked() throws IOException {
    List<String> unmarked = new ArrayList<>();
    for (Path source : Repository.javaSources()) {
      Path marker = source.resolveSibling("package-info.java");
      boolean main = source.toString().contains("/src/main/java/");
      if (main && !(Files.exists(marker) && Repository.read(marker).contains("@NullMarked"))) {
        unmarked.add(source.toString());
      }
    }
    assertEquals(List.of(), unmarked, "packages without @NullMarked in package-info.java");
  }

  @Test
  void sourcesAreFound() throws IOException {
    assertTrue(Repository.javaSources().size() > 20);
  }
}
