package io.millrace.doctor.tune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Settings of an index or a template, nested or not, by their keys in full. */
final class FlatSettings {
  private FlatSettings() {}

  /** Every value as text, by its key in full; a list in JSON. */
  static Map<String, String> of(JsonNode settings) {
    Map<String, String> flat = new TreeMap<>();
    add("", settings, flat);
    Map<String, String> full = new TreeMap<>();
    flat.forEach((key, value) -> full.put(key.startsWith("index.") ? key : "index." + key, value));
    return full;
  }

  private static void add(String prefix, JsonNode node, Map<String, String> flat) {
    node.properties()
        .forEach(entry -> {
          String key = prefix + entry.getKey();
          JsonNode value = entry.getValue();
          if (value.isObject()) {
            add(key + ".", value, flat);
          } else if (!value.isNull()) {
            flat.put(key, value.isArray() ? value.toString() : value.asText());
          }
        });
  }

  /** Sets a key, however it is written now; null takes it away. */
  static void put(ObjectNode settings, String key, @Nullable String value) {
    remove(settings, key);
    if (key.startsWith("index.")) {
      remove(settings, key.substring("index.".length()));
    }
    if (value != null) {
      settings.put(key, value);
    }
  }

  private static void remove(ObjectNode settings, String key) {
    settings.remove(key);
    for (int dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
      if (settings.get(key.substring(0, dot)) instanceof ObjectNode inner) {
        remove(inner, key.substring(dot + 1));
        if (inner.isEmpty()) {
          settings.remove(key.substring(0, dot));
        }
      }
    }
  }
}
