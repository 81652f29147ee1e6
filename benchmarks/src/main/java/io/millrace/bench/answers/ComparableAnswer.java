package io.millrace.bench.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bench.json.BenchJson;

/**
 * An answer without what may differ between two correct servers: times, shard counts, ids the
 * server made up, sequence numbers, routing.
 */
public final class ComparableAnswer {
  private ComparableAnswer() {}

  /**
   * The comparable part as canonical text.
   *
   * @param scores whether scores are compared (they are equal only where both sides hold the same
   *     documents in one shard and analyze them alike)
   * @param sources whether the documents' text is compared
   */
  public static String canonical(JsonNode response, boolean scores, boolean sources) {
    ObjectNode kept = BenchJson.mapper().createObjectNode();
    if (response.path("timed_out").asBoolean()
        || response.path("_shards").path("failed").asInt() > 0) {
      kept.set("failed", response.path("_shards"));
    }
    JsonNode hits = response.path("hits");
    kept.set("total", hits.path("total"));
    if (scores) {
      kept.set("max_score", hits.path("max_score"));
    }
    ArrayNode list = kept.putArray("hits");
    for (JsonNode hit : hits.path("hits")) {
      ObjectNode copy = list.addObject();
      if (sources) {
        copy.set("_source", hit.path("_source"));
      }
      copy.set("sort", hit.path("sort"));
      if (scores) {
        copy.set("_score", hit.path("_score"));
      }
    }
    kept.set("aggregations", response.path("aggregations"));
    return BenchJson.string(kept);
  }
}
