package io.millrace.launcher.node;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/**
 * Settings as an {@code opensearch.yml} holds them, nested or dotted, with lists in either of
 * YAML's two forms. Each becomes one dotted key with its value as YAML of one line, so that
 * settings of several files can be laid over each other and written as one file.
 */
final class YamlSettings {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./-]+");
  private static final Pattern ELEMENT = Pattern.compile("(.+)\\.\\d+");

  private final Map<String, String> lines = new LinkedHashMap<>();

  /**
   * Lays the settings of a file over those that are here.
   *
   * @throws ExpectedFailure when it is no YAML, with the place
   */
  void readFrom(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    Object root;
    try {
      // every scalar stays the text that stands there: OpenSearch gives it its type
      root =
          new Load(LoadSettings.builder().setSchema(new FailsafeSchema()).build())
              .loadFromString(Files.readString(file));
    } catch (YamlEngineException e) {
      throw unreadable(file, String.valueOf(e.getMessage()), e);
    }
    if (root == null || "".equals(root)) {
      return; // nothing but comments
    }
    if (!(root instanceof Map<?, ?> map)) {
      throw unreadable(file, "it holds no settings but " + root, null);
    }
    flatten("", map);
  }

  private static ExpectedFailure unreadable(Path file, String why, @Nullable Throwable cause) {
    return new ExpectedFailure(
        ExitCode.USAGE,
        file + " cannot be read: " + why,
        "Write a setting per line, as key: value.",
        cause);
  }

  private void flatten(String prefix, Map<?, ?> map) {
    map.forEach((key, value) -> flatten(prefix + key, value));
  }

  private void flatten(String key, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      flatten(key + ".", map);
    } else if (value instanceof List<?> list) {
      if (list.stream().anyMatch(e -> e instanceof Map || e instanceof List)) {
        for (int i = 0; i < list.size(); i++) {
          flatten(key + "." + i, list.get(i));
        }
      } else {
        set(key, "[" + String.join(", ", list.stream().map(YamlSettings::scalar).toList()) + "]");
      }
    } else if (value != null) {
      set(key, scalar(value));
    }
  }

  /** Lays one setting over those that are here; the value as YAML of one line. */
  void set(String key, String value) {
    remove(key);
    var element = ELEMENT.matcher(key);
    if (element.matches()) {
      lines.remove(element.group(1)); // a list, by its elements
    }
    lines.put(key, value);
  }

  /** Takes out one setting, also one that is given element by element. */
  void remove(String key) {
    lines.keySet().removeIf(k -> k.equals(key) || k.matches(Pattern.quote(key) + "\\.\\d+"));
  }

  /** Takes out all settings below a prefix that ends with a dot. */
  void removeBelow(String prefix) {
    lines.keySet().removeIf(key -> key.startsWith(prefix));
  }

  /** The value of a setting as it will stand in the file; empty when it is not there. */
  String get(String key) {
    return lines.getOrDefault(key, "");
  }

  /** The lines of one file, dotted. */
  List<String> lines() {
    return lines.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList();
  }

  /** Text as a YAML scalar, quoted unless it is plain. */
  static String scalar(Object value) {
    String text = String.valueOf(value);
    if (PLAIN.matcher(text).matches()) {
      return text;
    }
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      switch (c) {
        case '\\', '"' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
