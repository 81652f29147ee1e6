package io.millrace.cli.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the shards of a pipeline have done until one moment. */
record PipelineSample(long nanos, List<Shard> shards) {

  /**
   * One reading copy of a shard; counts since it was opened.
   *
   * @param state of its poller, as OpenSearch names it
   * @param offset from which it would read again after a crash; empty before the first record
   * @param waiting records in Kafka that it has not fetched; -1 where the broker did not say
   * @param behindMillis how old the record was that it fetched last; 0 when nothing was left
   * @param failures tries that failed, also those that were repeated
   * @param dropped records that are not indexed
   */
  record Shard(
      int number,
      String node,
      String state,
      boolean paused,
      String offset,
      long waiting,
      long behindMillis,
      long polled,
      long processed,
      long failures,
      long dropped,
      long consumerErrors,
      long pipelineDocuments,
      long pipelineMillis) {

    /** Records between fetching and indexing. */
    long queued() {
      return Math.max(0, polled - processed);
    }
  }

  /**
   * @param state answer of {@code GET /INDEX/ingestion/_state}
   * @param stats answer of {@code GET /INDEX/_stats?level=shards}
   */
  static PipelineSample of(String index, long nanos, JsonNode state, JsonNode stats) {
    Map<String, JsonNode> figures = new TreeMap<>();
    stats
        .path("indices")
        .path(index)
        .path("shards")
        .properties()
        .forEach(shard ->
            shard
                .getValue()
                .forEach(copy -> {
                  if (copy.at("/routing/primary").asBoolean()) {
                    figures.put(shard.getKey(), copy.path("polling_ingest_stats"));
                  }
                }));
    List<Shard> shards = new ArrayList<>();
    for (JsonNode each : state.path("ingestion_state").path(index)) {
      JsonNode figure =
          figures.getOrDefault(each.path("shard").asText(), MissingNode.getInstance());
      shards.add(shard(each, figure));
    }
    shards.sort(Comparator.comparingInt(Shard::number));
    return new PipelineSample(nanos, List.copyOf(shards));
  }

  private static Shard shard(JsonNode state, JsonNode figure) {
    JsonNode consumer = figure.path("consumer_stats");
    JsonNode processor = figure.path("message_processor_stats");
    JsonNode pipeline = figure.path("pipeline_stats");
    long notMapped = consumer.path("total_poller_message_failure_count").asLong();
    return new Shard(
        state.path("shard").asInt(),
        state.path("node").asText(),
        state.path("poller_state").asText("unknown").toLowerCase(Locale.ROOT),
        state.path("poller_paused").asBoolean() || state.path("write_block_enabled").asBoolean(),
        state.path("batch_start_pointer").asText().replaceAll("\\D", ""),
        consumer.path("pointer_based_lag").asLong(-1),
        consumer.path("lag_in_millis").asLong(),
        consumer.path("total_polled_count").asLong() - notMapped,
        processor.path("total_processed_count").asLong()
            - processor.path("total_failed_count").asLong()
            + processor.path("total_failures_dropped_count").asLong(),
        notMapped + processor.path("total_failed_count").asLong(),
        consumer.path("total_poller_message_dropped_count").asLong()
            + processor.path("total_failures_dropped_count").asLong(),
        consumer.path("total_consumer_error_count").asLong(),
        pipeline.path("total_execution_count").asLong(),
        pipeline.path("total_execution_time_in_millis").asLong());
  }
}
