package io.millrace.it.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Which tests of the suite run; see {@link RestYamlSuiteIT}. */
final class SuiteSelection {
  private final List<String> prefixes;

  private SuiteSelection(List<String> prefixes) {
    this.prefixes = prefixes;
  }

  static SuiteSelection fromProperties() {
    String wanted = System.getProperty("millrace.yaml", "bounded").trim();
    return new SuiteSelection(
        switch (wanted) {
          case "all" -> List.of();
          case "bounded" -> lines("bounded.txt");
          default -> Arrays.stream(wanted.split(",")).map(String::trim).toList();
        });
  }

  /** Whether a test, {@code folder/file/section}, is chosen. */
  boolean holds(String path) {
    return prefixes.isEmpty()
        || prefixes.stream()
            .anyMatch(prefix -> path.equals(prefix) || path.startsWith(prefix + "/"));
  }

  /** Lines of a file in {@code yaml/} without comments and blanks. */
  static List<String> lines(String file) {
    return text(file)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }

  static String text(String file) {
    try (InputStream in = SuiteSelection.class.getResourceAsStream("/yaml/" + file)) {
      if (in == null) {
        throw new IllegalStateException("no test resource yaml/" + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return prefixes.isEmpty() ? "all" : String.join(",", prefixes);
  }
}
