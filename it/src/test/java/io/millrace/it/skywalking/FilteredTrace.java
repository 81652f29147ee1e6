package io.millrace.it.skywalking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a trace is behind the span filter, as OAP shows it. */
final class FilteredTrace {
  private static final Set<String> MEANT =
      Set.of("Redisson", "mysql-connector-java", "AlibabaDruid");
  private static final long BELOW_MILLIS = 100;

  private FilteredTrace() {}

  /**
   * Compares the spans of a trace on stock with those behind the filter.
   *
   * @throws AssertionError when a span is missing, changed or too many, or hangs at one that is
   *     gone
   */
  static void check(JsonNode before, JsonNode after) {
    Map<String, JsonNode> expected = new TreeMap<>();
    for (JsonNode span : before) {
      if (!goes(span)) {
        expected.put(key(span, "spanId"), withoutParent(span));
      }
    }
    assertTrue(expected.size() < before.size(), "nothing to filter in " + before);
    Map<String, JsonNode> found = new TreeMap<>();
    for (JsonNode span : after) {
      found.put(key(span, "spanId"), withoutParent(span));
    }
    assertEquals(expected, found);
    for (JsonNode span : after) {
      assertTrue(
          span.path("parentSpanId").asInt() < 0 || found.containsKey(key(span, "parentSpanId")),
          "without its parent: " + span);
    }
  }

  private static boolean goes(JsonNode span) {
    return MEANT.contains(span.path("component").asText())
        && !span.path("type").asText().equals("Entry")
        && !span.path("isError").asBoolean()
        && span.path("parentSpanId").asInt() >= 0
        && span.path("endTime").asLong() - span.path("startTime").asLong() < BELOW_MILLIS;
  }

  private static String key(JsonNode span, String id) {
    return span.path("segmentId").asText() + "/" + span.path(id).asInt();
  }

  private static JsonNode withoutParent(JsonNode span) {
    ObjectNode rest = span.deepCopy();
    rest.remove("parentSpanId");
    return rest;
  }
}
