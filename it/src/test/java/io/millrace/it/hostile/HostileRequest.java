package io.millrace.it.hostile;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.testkit.http.JsonHttp;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request.
 *
 * @param rule the rule of the grammar that made it
 * @param body JSON, or NDJSON that ends with a newline; null for none
 */
record HostileRequest(String rule, String method, String path, @Nullable String body) {
  private static final int SHOWN = 600;

  static HostileRequest of(String rule, String method, String path, @Nullable Object body) {
    return new HostileRequest(rule, method, path, body == null ? null : json(body));
  }

  /** One line each, as bulks and multi-searches take them. */
  static HostileRequest lines(String rule, String path, List<?> lines) {
    StringBuilder body = new StringBuilder();
    for (Object line : lines) {
      body.append(json(line)).append('\n');
    }
    return new HostileRequest(rule, "POST", path, body.toString());
  }

  static String json(Object value) {
    try {
      return JsonHttp.MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** An object with one member. */
  static Map<String, Object> object(String name, Object value) {
    return Map.of(name, value);
  }

  @Override
  public String toString() {
    String shown = body == null ? "" : body;
    return rule
        + ": "
        + method
        + " "
        + path
        + " "
        + (shown.length() > SHOWN
            ? shown.substring(0, SHOWN) + "... (" + shown.length() + " characters)"
            : shown);
  }
}
