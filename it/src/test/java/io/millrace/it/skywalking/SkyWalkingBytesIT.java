package io.millrace.it.skywalking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Bytes of what a real OAP stores: on stock, with the codec of seed 002, with the profile of traces
 * and behind the span filter. {@code -Dmillrace.skywalking.segments=200000} runs it with so many
 * segments; it prints the table of the page, and what the segments of traces consist of. {@code
 * -Dmillrace.skywalking.rounds=2} does all of it twice, in turn.
 */
@EnabledIfSystemProperty(named = "millrace.skywalking.segments", matches = "\\d+")
class SkyWalkingBytesIT {
  private static final int SEGMENTS = Integer.getInteger("millrace.skywalking.segments", 200_000);
  private static final int ROUNDS = Integer.getInteger("millrace.skywalking.rounds", 1);

  /** The components of seed 002 whose spans it filtered out, but those of the message queue. */
  private static final String FILTER =
      """
      [{"sw_span_filter": {"layers": ["database", "cache"], "names": ["Druid/*"],
        "below": "100ms", "keep_one_of": 100}}]\
      """;

  @Test
  void bytesOfTheSameSegments() throws IOException {
    System.out.println(
        "| node | segments, MB | all of sw_*, MB | of stock | merged: segments, MB"
            + " | all, MB | of stock | CPU of the node, s |");
    for (int round = 0; round < ROUNDS; round++) {
      Row stock = run(Tree.STOCK, "{}", "[]");
      print("stock", stock, stock);
      print("Millrace", run(Tree.MILLRACE, "{}", "[]"), stock);
      print(
          "Millrace, span filter", run(Tree.MILLRACE, TraceStore.THROUGH_PIPELINE, FILTER), stock);
      print(
          "stock, best_compression",
          run(Tree.STOCK, "{\"codec\":\"best_compression\"}", "[]"),
          stock);
    }
  }

  /** Bytes as they were written, and after a merge into one segment of Lucene's per shard. */
  private record Row(long segments, long all, long mergedSegments, long mergedAll, double cpu) {}

  private static Row run(Tree tree, String settings, String processors) throws IOException {
    Instant last = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    Instant first = last.minus(Duration.ofMinutes(20));
    try (TraceStore store =
        TraceStore.start(Cluster.of(tree, 1).heap("1g").optimized(), settings)) {
      store.pipeline(processors);
      double before = store.cpuSeconds();
      store.report(SEGMENTS / 4, first.toEpochMilli(), last.toEpochMilli(), 0);
      double cpu = store.cpuSeconds() - before;
      assertEquals(SEGMENTS / 4 * 4, store.stored("sw_segment-*"));
      UiQueries queries = new UiQueries(first.toEpochMilli(), last.toEpochMilli());
      Await.until(
          "the metrics of all segments",
          Duration.ofMinutes(2),
          () -> queries.callsIn(store.oap(), "shop-gateway") == SEGMENTS / 4);
      JsonHttp node = store.node();
      long segments = bytes(node, "sw_segment-*");
      long all = bytes(node, "sw_*");
      printFiles("files of " + tree + " " + settings + ", as written:", node);
      merge(node);
      printFiles("files of " + tree + " " + settings + ", merged:", node);
      return new Row(segments, all, bytes(node, "sw_segment-*"), bytes(node, "sw_*"), cpu);
    }
  }

  /**
   * Waits until no copy may ask for the operations of before. OAP leaves fields out of {@code
   * _source}, so OpenSearch stores every such document a second time ({@code _recovery_source}),
   * until it is merged after that: every half a minute the leases move on.
   */
  private static void awaitLeases(JsonHttp node) {
    Await.until(
        "the retention leases of sw_segment-*",
        Duration.ofMinutes(3),
        () -> {
          JsonNode indices =
              node.get("/sw_segment-*/_stats?level=shards&filter_path=**.seq_no,**.leases")
                  .ok()
                  .at("/indices");
          for (JsonNode shard : indices.findValues("shards")) {
            long written = shard.findValue("global_checkpoint").asLong();
            for (JsonNode lease : shard.findValue("leases")) {
              if (lease.path("retaining_seq_no").asLong() <= written) {
                return false;
              }
            }
          }
          return true;
        });
  }

  /** A merge whose shards each have at most one segment of Lucene's afterwards, or no figure. */
  private static void merge(JsonHttp node) throws IOException {
    awaitLeases(node);
    node.post("/sw_*/_flush").ok();
    JsonNode merged = node.post("/sw_*/_forcemerge?max_num_segments=1").ok().json();
    assertEquals(0, merged.at("/_shards/failed").asInt(), merged::toString);
    node.post("/sw_*/_refresh").ok();
    Await.until(
        "one segment in every shard of sw_segment-*",
        Duration.ofMinutes(2),
        () -> {
          Set<String> shards = new HashSet<>();
          for (JsonNode segment :
              node.get("/_cat/segments/sw_segment-*?format=json&h=index,shard").ok().json()) {
            if (!shards.add(segment.toString())) {
              return false;
            }
          }
          return true;
        });
  }

  /** Of Lucene's segments that a search reads; files that a merge has left behind do not count. */
  private static long bytes(JsonHttp node, String indices) {
    node.post("/" + indices + "/_refresh").ok();
    node.post("/" + indices + "/_flush").ok();
    long bytes = 0;
    for (JsonNode segment :
        node.get("/_cat/segments/" + indices + "?format=json&bytes=b&h=size").ok().json()) {
      bytes += segment.path("size").asLong();
    }
    return bytes;
  }

  /** Bytes of each kind of Lucene's files of the segments of traces, the largest first. */
  private static void printFiles(String what, JsonHttp node) {
    int segments = node.get("/_cat/segments/sw_segment-*?format=json").ok().json().size();
    JsonNode sizes =
        node.get("/sw_segment-*/_stats/segments?include_segment_file_sizes=true")
            .ok()
            .json()
            .at("/_all/primaries/segments/file_sizes");
    System.out.println(
        what
            + " "
            + segments
            + " segments:"
            + sizes.properties().stream()
                .sorted(
                    Comparator.comparing(file -> -file.getValue().path("size_in_bytes").asLong()))
                .map(file -> " " + file.getKey() + " " + file.getValue().path("size_in_bytes"))
                .collect(Collectors.joining(",")));
  }

  private static void print(String name, Row row, Row stock) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %.1f | %.1f | %.3f | %.1f | %.1f | %.3f | %.0f |%n",
        name,
        row.segments / 1e6,
        row.all / 1e6,
        (double) row.all / stock.all,
        row.mergedSegments / 1e6,
        row.mergedAll / 1e6,
        (double) row.mergedAll / stock.mergedAll,
        row.cpu);
  }
}
