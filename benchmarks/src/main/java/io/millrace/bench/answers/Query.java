package io.millrace.bench.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bench.json.BenchJson;
import java.util.Map;

/**
 * One search of the mix.
 *
 * @param kind what it exercises, for example {@code term} or {@code fetch-10}; latencies are
 *     reported by kind
 * @param text whether the answer depends on the analysis of a text field
 * @param body the JSON to send
 */
public record Query(String kind, boolean text, byte[] body) {

  /** The same search for a mapping that has some fields under other names. */
  public Query named(Map<String, String> names) {
    return names.isEmpty()
        ? this
        : new Query(kind, text, BenchJson.bytes(named(BenchJson.parse(body), names)));
  }

  /** A name of a field stands as a key, or as the value of {@code field} in an aggregation. */
  private static JsonNode named(JsonNode node, Map<String, String> names) {
    if (node.isArray()) {
      ArrayNode array = BenchJson.mapper().createArrayNode();
      node.forEach(one -> array.add(named(one, names)));
      return array;
    }
    if (!node.isObject()) {
      return node;
    }
    ObjectNode object = BenchJson.mapper().createObjectNode();
    node.properties()
        .forEach(entry -> {
          String key = entry.getKey();
          JsonNode value = entry.getValue();
          object.set(
              names.getOrDefault(key, key),
              key.equals("field") && value.isTextual()
                  ? object.textNode(names.getOrDefault(value.textValue(), value.textValue()))
                  : named(value, names));
        });
    return object;
  }
}
