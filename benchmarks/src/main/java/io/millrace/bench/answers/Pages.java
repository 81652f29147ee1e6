package io.millrace.bench.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.load.NodeClient;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads several pages of one search, from opening a context to closing it, as one answer. */
final class Pages {
  static final String SCROLL = "scroll";
  static final String POINT_IN_TIME = "point-in-time";

  /** After the first one. */
  private static final int MORE = 2;

  private static final String JSON = "application/json";

  private final NodeClient node;
  private final String index;

  Pages(NodeClient node, String index) {
    this.node = node;
    this.index = index;
  }

  NodeClient.Answer scroll(Query query) {
    NodeClient.Answer first =
        node.send("POST", "/" + index + "/_search?scroll=1m", query.body(), JSON);
    if (first.status() != 200) {
      return first;
    }
    ObjectNode all = object(first);
    JsonNode page = all;
    for (int i = 0; i < MORE; i++) {
      page =
          node.post(
              "/_search/scroll",
              Map.of("scroll", "1m", "scroll_id", page.path("_scroll_id").asText()));
      add(page, all);
    }
    byte[] id = BenchJson.bytes(Map.of("scroll_id", List.of(page.path("_scroll_id").asText())));
    node.send("DELETE", "/_search/scroll", id, JSON);
    return new NodeClient.Answer(200, BenchJson.bytes(all));
  }

  NodeClient.Answer pointInTime(Query query) {
    String id =
        node.post("/" + index + "/_search/point_in_time?keep_alive=1m").path("pit_id").asText();
    ObjectNode body = (ObjectNode) BenchJson.parse(query.body());
    body.putObject("pit").put("id", id);
    NodeClient.Answer answer = node.send("POST", "/_search", BenchJson.bytes(body), JSON);
    if (answer.status() != 200) {
      return answer;
    }
    ObjectNode all = object(answer);
    JsonNode after = last(all);
    for (int i = 0; i < MORE && after != null; i++) {
      body.set("search_after", after);
      JsonNode page = node.post("/_search", body);
      add(page, all);
      after = last(page);
    }
    byte[] closed = BenchJson.bytes(Map.of("pit_id", List.of(id)));
    node.send("DELETE", "/_search/point_in_time", closed, JSON);
    return new NodeClient.Answer(200, BenchJson.bytes(all));
  }

  private static ObjectNode object(NodeClient.Answer answer) {
    return (ObjectNode) answer.json();
  }

  private static void add(JsonNode page, ObjectNode all) {
    page.path("hits").path("hits").forEach(((ArrayNode) all.path("hits").path("hits"))::add);
  }

  private static @Nullable JsonNode last(JsonNode page) {
    JsonNode hits = page.path("hits").path("hits");
    return hits.isEmpty() ? null : hits.get(hits.size() - 1).path("sort");
  }
}
