package io.millrace.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The day of the balancing simulator on real nodes: two nodes join three, and right after that
 * every series of indices begins a new generation, to which the writing goes. Printed is how much
 * of it the busiest node does, over the average node: in documents, replicas included, and in time
 * of the shards' own clocks.
 *
 * <p>Run with {@code -Dmillrace.skew.seconds=120}: how long the cluster has between the new indices
 * and the last look.
 */
@EnabledIfSystemProperty(named = "millrace.skew.seconds", matches = "\\d+")
class WriteSkewIT {
  private static final int SECONDS = Integer.getInteger("millrace.skew.seconds", 120);
  private static final int FIRST = 3;
  private static final int NODES = 5;
  private static final Duration WINDOW = Duration.ofSeconds(20);

  @ParameterizedTest
  @EnumSource(
      value = Tree.class,
      names = {"MILLRACE", "STOCK"})
  void whatTheBusiestNodeWrites(Tree tree) throws Exception {
    Cluster.Builder plan = Cluster.of(tree, NODES).heap("448m").optimized();
    if (tree == Tree.MILLRACE) {
      plan.set("millrace.cluster.balance.interval", "2s") // minutes instead of hours
          .set("millrace.cluster.balance.window", "20s")
          .set("millrace.cluster.balance.least_write_load", "0.001");
    }
    try (Cluster cluster = plan.start()) {
      JsonHttp http = cluster.node(0).http();
      for (int late = FIRST; late < NODES; late++) {
        cluster.node(late).stop();
      }
      ShardPlaces.awaitNodes(http, FIRST);
      try (SeriesLoad load = new SeriesLoad(http)) {
        load.begin(1);
        Await.until(
            "the old generation's share", Duration.ofMinutes(3), () -> load.sent() > 60_000);
        ShardPlaces.awaitSettled(http);
        addNodes(cluster);
        load.begin(2);
        Set<ShardPlaces.Place> before = ShardPlaces.places(http);
        String atOnce = skew(http);
        Thread.sleep(Duration.ofSeconds(SECONDS)); // the same time for both
        ShardPlaces.awaitSettled(http);
        String settled = skew(http);
        int moved = ShardPlaces.moved(before, ShardPlaces.places(http));
        load.finish();
        System.out.printf(
            Locale.ROOT,
            "%s: the busiest node over the average, %s at once, %s after %d s; %d copies moved%n",
            tree,
            atOnce,
            settled,
            SECONDS,
            moved);
        http.post("/" + SeriesLoad.ALL + "/_refresh").ok();
        assertEquals(
            load.sent(), http.get("/" + SeriesLoad.ALL + "/_count").ok().at("/count").asLong());
      }
    }
  }

  private static void addNodes(Cluster cluster) {
    for (int late = FIRST; late < NODES; late++) {
      cluster.node(late).start();
    }
    for (int late = FIRST; late < NODES; late++) {
      cluster.node(late).awaitAnswer();
    }
    ShardPlaces.awaitNodes(cluster.node(0).http(), NODES);
  }

  private static String skew(JsonHttp http) throws InterruptedException {
    JsonNode before = indexing(http);
    Thread.sleep(WINDOW); // a rate has a time
    JsonNode after = indexing(http);
    return String.format(
        Locale.ROOT,
        "%.2f in documents and %.2f in time",
        skew(before, after, "index_total"),
        skew(before, after, "index_time_in_millis"));
  }

  private static JsonNode indexing(JsonHttp http) {
    return http.get("/_nodes/stats/indices/indexing").ok().at("/nodes");
  }

  private static double skew(JsonNode before, JsonNode after, String field) {
    List<Double> written = new ArrayList<>();
    after
        .properties()
        .forEach(node -> {
          JsonNode was = before.path(node.getKey());
          written.add((double) count(node.getValue(), field) - count(was, field));
        });
    double all = written.stream().mapToDouble(Double::doubleValue).sum();
    double most = written.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    return all == 0 ? 0 : most * written.size() / all;
  }

  private static long count(JsonNode node, String field) {
    return node.path("indices").path("indexing").path(field).asLong();
  }
}
