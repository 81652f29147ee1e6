package io.millrace.doctor.check.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.snapshot.Index;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every field of a mapping by its full name, also those of multi-fields and of types of version 6.
 */
final class Fields {
  private static final int MOST = 100_000;

  private Fields() {}

  static Map<String, JsonNode> of(Index index) {
    Map<String, JsonNode> fields = new TreeMap<>();
    JsonNode mapping = index.mapping();
    add(mapping, "", fields);
    if (!mapping.has("properties")) {
      mapping.forEach(type -> add(type, "", fields)); // version 6 has a level for the type
    }
    return fields;
  }

  private static void add(JsonNode from, String prefix, Map<String, JsonNode> to) {
    for (String part : List.of("properties", "fields")) {
      from.path(part)
          .properties()
          .forEach(entry -> {
            if (to.size() < MOST) {
              String name = prefix + entry.getKey();
              to.put(name, entry.getValue());
              add(entry.getValue(), name + ".", to);
            }
          });
    }
  }

  static String path(Index index, String field) {
    return "GET /" + index.name() + "/_mapping: " + field;
  }
}
