package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One copy of a shard, a row of {@code GET /_cat/shards}.
 *
 * @param node its name, empty while it is unassigned
 * @param bytes of its store, -1 when unknown
 */
public record Shard(
    String index,
    int number,
    boolean primary,
    String state,
    long docs,
    long bytes,
    String node,
    String unassignedReason) {
  static Shard of(JsonNode row) {
    return new Shard(
        row.path("index").asText(),
        row.path("shard").asInt(),
        row.path("prirep").asText("p").equals("p"),
        row.path("state").asText(""),
        row.path("docs").asLong(0),
        row.path("store").asLong(-1),
        row.path("node").asText(""),
        row.path("ur").asText(""));
  }

  public boolean unassigned() {
    return state.equals("UNASSIGNED");
  }
}
