package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the copies of all shards: where they are from the routing table, how large they are from
 * {@link Probe#SHARD_SIZES}, or, of an index with one primary, from {@link Probe#INDEX_STATS}. Rows
 * of {@code _cat/shards} hold both; they are in older bundles, and what is asked for where the
 * cluster's state may not be read.
 */
final class Shards {
  private final JsonNode sizes;
  private final JsonNode stats;
  private final JsonNode settings;
  private final List<Shard> found = new ArrayList<>();

  private Shards(JsonNode sizes, JsonNode stats, JsonNode settings) {
    this.sizes = sizes.path("indices");
    this.stats = stats.path("indices");
    this.settings = settings;
  }

  /**
   * @param answer to {@link Probe#SHARDS}
   * @param sizes answer to {@link Probe#SHARD_SIZES}
   * @param stats last answer to {@link Probe#INDEX_STATS}
   * @param settings answer to {@link Probe#INDEX_SETTINGS}
   */
  static List<Shard> read(JsonNode answer, JsonNode sizes, JsonNode stats, JsonNode settings) {
    Shards shards = new Shards(sizes, stats, settings);
    if (answer.isArray()) {
      answer.forEach(shards::row);
    } else {
      shards.routing(answer);
    }
    return List.copyOf(shards.found);
  }

  private void row(JsonNode row) {
    found.add(
        new Shard(
            row.path("index").asText(),
            row.path("shard").asInt(),
            row.path("prirep").asText("p").equals("p"),
            row.path("state").asText(""),
            row.path("docs").asLong(0),
            row.path("store").asLong(-1),
            row.path("node").asText(""),
            row.path("ur").asText("")));
  }

  private void routing(JsonNode answer) {
    JsonNode nodes = answer.path("nodes");
    for (Map.Entry<String, JsonNode> index :
        answer.path("routing_table").path("indices").properties()) {
      for (Map.Entry<String, JsonNode> shard : index.getValue().path("shards").properties()) {
        for (JsonNode copy : shard.getValue()) {
          copy(index.getKey(), shard.getKey(), copy, nodes);
        }
      }
    }
  }

  private void copy(String index, String number, JsonNode copy, JsonNode nodes) {
    String node = copy.path("node").asText("");
    boolean primary = copy.path("primary").asBoolean();
    JsonNode size = size(index, number, primary, node);
    found.add(
        new Shard(
            index,
            number.matches("\\d{1,6}") ? Integer.parseInt(number) : 0,
            primary,
            copy.path("state").asText(""),
            Json.number(size, "docs.count"),
            Json.at(size, "store.size_in_bytes").asLong(-1),
            node.isEmpty() ? "" : nodes.path(node).path("name").asText(node),
            Json.at(copy, "unassigned_info.reason").asText("")));
  }

  private JsonNode size(String index, String number, boolean primary, String node) {
    for (JsonNode copy : sizes.path(index).path("shards").path(number)) {
      if (Json.at(copy, "routing.node").asText("").equals(node)) {
        return copy;
      }
    }
    JsonNode primaries = settings.path(index).path("settings").path("index.number_of_shards");
    return primary && !node.isEmpty() && primaries.asInt() == 1
        ? stats.path(index).path("primaries")
        : MissingNode.getInstance();
  }
}
