package io.millrace.it.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The day that makes hot spots, on five real nodes: three of them are written to, two join, and
 * every series of indices begins a new generation. Loads of the series follow Zipf's law. Printed
 * is what the busiest node writes over the average, in documents of all its copies and in time that
 * they took, and the same of bytes. It asserts no figure.
 *
 * <p>Run with {@code -Dmillrace.skew.seconds=120}, the time of the new generation; its second half
 * counts.
 */
@EnabledIfSystemProperty(named = "millrace.skew.seconds", matches = "\\d+")
class WriteSkewIT {
  private static final int SECONDS = Integer.getInteger("millrace.skew.seconds", 120);
  private static final int BEFORE = Integer.getInteger("millrace.skew.before", 60);
  private static final int NODES = 5;
  private static final int JOINING = 2;
  private static final int SERIES = 15;
  private static final int DOCUMENTS_A_SECOND = 300;
  private static final double EXPONENT = 0.8;

  /** What the nodes have indexed: documents, milliseconds, bytes on disk. */
  private record Written(Map<String, long[]> nodes) {
    static Written of(JsonHttp http) {
      Map<String, long[]> nodes = new TreeMap<>();
      for (JsonNode node : http.get("/_nodes/stats/indices").ok().at("/nodes")) {
        nodes.put(
            node.path("name").asText(),
            new long[] {
              node.at("/indices/indexing/index_total").asLong(),
              node.at("/indices/indexing/index_time_in_millis").asLong(),
              node.at("/indices/store/size_in_bytes").asLong()
            });
      }
      return new Written(nodes);
    }

    /** Of the fullest node over the average. */
    private static double skew(List<Long> values) {
      return values.stream().mapToLong(Long::longValue).max().orElse(0)
          / Math.max(1e-9, values.stream().mapToLong(Long::longValue).average().orElse(0));
    }

    String since(Written before) {
      double[] skews = new double[2];
      for (int i = 0; i < skews.length; i++) {
        int field = i;
        skews[i] =
            skew(
                nodes.entrySet().stream()
                    .map(node ->
                        node.getValue()[field]
                            - before.nodes.getOrDefault(node.getKey(), new long[3])[field])
                    .toList());
      }
      double bytes = skew(nodes.values().stream().map(values -> values[2]).toList());
      return String.format(
          Locale.ROOT,
          "busiest node over the average: %.2f in documents, %.2f in time; bytes %.2f",
          skews[0],
          skews[1],
          bytes);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Tree.class,
      names = {"MILLRACE", "STOCK"})
  void theBusiestNode(Tree tree) throws Exception {
    Cluster.Builder plan = Cluster.of(tree, NODES).heap("512m");
    if (tree == Tree.MILLRACE) {
      // as quick as the run is short
      plan.set("millrace.cluster.balance.interval", "5s")
          .set("millrace.cluster.balance.window", "30s")
          .set("millrace.cluster.balance.quiet_time", "1m")
          .set("millrace.cluster.balance.least_write_load", "0.001");
    }
    try (Cluster cluster = plan.start()) {
      List<ClusterNode> joining = cluster.nodes().subList(NODES - JOINING, NODES);
      joining.forEach(ClusterNode::stop);
      JsonHttp http = cluster.node(0).http();
      ShardPlaces.awaitNodes(http, NODES - JOINING);
      generation(http, 1);
      write(http, 1, BEFORE);
      joining.forEach(ClusterNode::start);
      joining.forEach(ClusterNode::awaitAnswer);
      cluster.awaitNodes(NODES);
      generation(http, 2);
      write(http, 2, SECONDS / 2);
      Written half = Written.of(http);
      write(http, 2, SECONDS - SECONDS / 2);
      System.out.println(tree + ": " + Written.of(http).since(half) + "; " + shards(http));
    }
  }

  private static String name(int series, int generation) {
    return "series-" + (char) ('a' + series) + "-2026.11." + (20 + generation);
  }

  private static void generation(JsonHttp http, int generation) {
    for (int series = 0; series < SERIES; series++) {
      http.put(
              "/" + name(series, generation),
              "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":1}}")
          .ok();
    }
    http.get("/_cluster/health?wait_for_status=green&timeout=60s").ok();
  }

  /** One bulk to each series a second, or as many as the machine takes. */
  private static void write(JsonHttp http, int generation, int seconds)
      throws InterruptedException {
    double all = 0;
    for (int series = 0; series < SERIES; series++) {
      all += Math.pow(series + 1, -EXPONENT);
    }
    long begun = System.nanoTime();
    for (int second = 0; System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(seconds); second++) {
      for (int series = 0; series < SERIES; series++) {
        double share = Math.pow(series + 1, -EXPONENT) / all;
        int documents = (int) Math.max(1, Math.round(share * DOCUMENTS_A_SECOND));
        Lines.load(http, name(series, generation), 1, documents);
      }
      long next = begun + TimeUnit.SECONDS.toNanos(second + 1L);
      Thread.sleep(Math.max(0, TimeUnit.NANOSECONDS.toMillis(next - System.nanoTime())));
    }
  }

  /** How many copies of the new generation each node has. */
  private static String shards(JsonHttp http) {
    Map<String, Integer> copies = new TreeMap<>();
    for (ShardPlaces.Place place : ShardPlaces.places(http)) {
      if (place.index().endsWith("22")) {
        copies.merge(place.node(), 1, Integer::sum);
      }
    }
    return "copies of the new generation " + copies;
  }
}
