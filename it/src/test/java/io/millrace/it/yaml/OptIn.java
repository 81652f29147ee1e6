package io.millrace.it.yaml;

import io.millrace.testkit.Tree;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The template that opts every index in to every feature of ours, from the page of all settings
 * ({@code docs/settings.md}, which is rendered from the features): what is {@code false} by default
 * becomes {@code true}. Settings of another kind stand in {@code yaml/opt-in.json} with the value
 * that makes them act, and those that cannot act beside the others in {@code
 * yaml/opt-in-without.txt} with the reason.
 */
final class OptIn {
  private static final Pattern ROW =
      Pattern.compile("^\\| `(index\\.[^`]+)` \\| `([^`]*)` \\| index.*");

  private OptIn() {}

  /** Defaults of our index settings, by key. */
  static Map<String, String> defaults() {
    Map<String, String> defaults = new TreeMap<>();
    try (Stream<String> lines = Files.lines(Tree.checkout().resolve("docs/settings.md"))) {
      lines.forEach(line -> {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
          defaults.put(row.group(1), row.group(2));
        }
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return defaults;
  }

  /** Values of settings that are no switches. */
  static Map<String, Object> others() {
    try {
      Map<String, Object> others = new LinkedHashMap<>();
      JsonHttp.MAPPER
          .readTree(SuiteSelection.text("opt-in.json"))
          .properties()
          .forEach(entry ->
              others.put(
                  entry.getKey(), JsonHttp.MAPPER.convertValue(entry.getValue(), Object.class)));
      return others;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Settings that are left as they are, with the reason. */
  static Map<String, String> without() {
    Map<String, String> without = new TreeMap<>();
    for (String line : SuiteSelection.lines("opt-in-without.txt")) {
      int bar = line.indexOf(" | ");
      if (bar < 0) {
        throw new IllegalStateException("no reason in yaml/opt-in-without.txt: " + line);
      }
      without.put(line.substring(0, bar), line.substring(bar + 3));
    }
    return without;
  }

  /**
   * What every index of the suite gets.
   *
   * @param shards primaries of an index that does not say how many it has
   */
  static Map<String, Object> settings(int shards) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("index.number_of_shards", shards);
    settings.putAll(others());
    Map<String, String> without = without();
    defaults()
        .forEach((key, value) -> {
          if (value.equals("false") && !without.containsKey(key)) {
            settings.put(key, true);
          }
        });
    return settings;
  }

  /** The body of the legacy template. */
  static String template(int shards) {
    try {
      return JsonHttp.MAPPER.writeValueAsString(
          Map.of("index_patterns", List.of("*"), "order", -1, "settings", settings(shards)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
