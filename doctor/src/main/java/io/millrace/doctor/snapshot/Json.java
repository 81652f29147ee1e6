package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** Values out of a JSON tree by the dotted path that evidence shows. */
public final class Json {
  /** One mapper for the module: it has no state after its construction. */
  public static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** The value at a dotted path; a missing node where there is none. Keys must hold no dots. */
  public static JsonNode at(JsonNode from, String path) {
    JsonNode node = from;
    for (String key : path.split("\\.")) {
      node = node.path(key);
    }
    return node;
  }

  /** A number at a dotted path; 0 where there is none. */
  public static long number(JsonNode from, String path) {
    return at(from, path).asLong(0);
  }

  /** One name and one value as a JSON object; both are escaped. */
  public static String object(Map<String, ?> values) {
    return MAPPER.valueToTree(values).toString();
  }
}
