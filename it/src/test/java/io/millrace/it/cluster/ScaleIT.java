package io.millrace.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.it.support.EmptyShards;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What requests cost a cluster that has more and more shards: CPU time of its processes, as the
 * operating system counts it. What grows faster than the shards do shows in the cost of a thousand
 * shards. It asserts no figure and prints them, for Millrace and for stock.
 *
 * <p>Run with {@code -Dmillrace.scale.shards=1000,2000,4000}, numbers that rise; {@code
 * -Dmillrace.scale.nodes=N} makes that many nodes, two unless told. A shard takes three files, so a
 * process that may open 20,000 holds some 6,600. The machine must be at rest: what the nodes do by
 * themselves is in the figures.
 */
@EnabledIfSystemProperty(named = "millrace.scale.shards", matches = "\\d+(,\\d+)*")
class ScaleIT {
  private static final int NODES = Integer.getInteger("millrace.scale.nodes", 2);
  private static final int TIMES = 5;

  /** What both trees answer. */
  private static final List<String> STOCK =
      List.of(
          "/_cluster/health",
          "/_cat/shards",
          "/_cat/indices",
          "/_stats",
          "/_nodes/stats",
          "/_cluster/state");

  /** What Millrace adds, each a page that people leave open or that is scraped. */
  private static final List<String> OWN =
      List.of(
          "/_prometheus/metrics",
          "/_millrace",
          "/_millrace/stats",
          "/_millrace/shards",
          "/_millrace/freshness",
          "/_millrace/alarms",
          "/_millrace/searches",
          "/_millrace/balance",
          "/_millrace/retention");

  /** What is measured: one request, or a few that belong together. */
  private interface Asked {
    void ask(JsonHttp http);
  }

  static List<Integer> levels() {
    return Arrays.stream(System.getProperty("millrace.scale.shards").split(","))
        .map(Integer::valueOf)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = Tree.class,
      names = {"MILLRACE", "STOCK"})
  void whatRequestsCost(Tree tree) throws Exception {
    try (Cluster cluster =
            Cluster.of(tree, NODES)
                .optimized()
                .heap("3g")
                .set("cluster.max_shards_per_node", "20000")
                .set("cluster.routing.allocation.node_initial_primaries_recoveries", "50")
                .start();
        JsonHttp http = new JsonHttp(cluster.node(0).http().base(), Duration.ofMinutes(2))) {
      int made = 0;
      for (int shards : levels()) {
        EmptyShards.make(http, made, shards);
        made = shards;
        level(cluster.nodes(), http, tree, shards);
      }
    }
  }

  private static void level(List<ClusterNode> nodes, JsonHttp http, Tree tree, int shards)
      throws Exception {
    double rest = millis(nodes, http, 1, each -> sleep(5_000)) / 5;
    System.out.printf(
        Locale.ROOT,
        "%s, %d nodes, %d shards: %.1f ms of CPU a second at rest%n",
        tree,
        nodes.size(),
        shards,
        rest);
    for (String path : STOCK) {
      line(nodes, http, shards, "GET " + path, each -> read(each, path));
    }
    if (tree == Tree.MILLRACE) {
      for (String path : OWN) {
        line(nodes, http, shards, "GET " + path, each -> read(each, path));
      }
    }
    line(nodes, http, shards, "a round of allocation", each -> each.post("/_cluster/reroute").ok());
    line(nodes, http, shards, "an index made and deleted", ScaleIT::makeAndDelete);
  }

  private static void line(
      List<ClusterNode> nodes, JsonHttp http, int shards, String what, Asked asked)
      throws Exception {
    asked.ask(http); // caches, classes
    double millis = millis(nodes, http, TIMES, asked);
    System.out.printf(
        Locale.ROOT,
        "  %-28s %8.1f ms of CPU, %7.2f for 1,000 shards%n",
        what,
        millis,
        millis * 1000 / shards);
  }

  /** Of all nodes, for one time. */
  private static double millis(List<ClusterNode> nodes, JsonHttp http, int times, Asked asked) {
    long before = cpu(nodes);
    for (int i = 0; i < times; i++) {
      asked.ask(http);
    }
    return (cpu(nodes) - before) / 1e6 / times;
  }

  private static long cpu(List<ClusterNode> nodes) {
    return nodes.stream().mapToLong(node -> node.process().cpuNanos()).sum();
  }

  private static void read(JsonHttp http, String path) {
    JsonAnswer answer = http.get(path);
    assertEquals(200, answer.status(), path);
  }

  private static void makeAndDelete(JsonHttp http) {
    http.put(
            "/one-more",
            "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0},"
                + "\"mappings\":{\"properties\":{\"message\":{\"type\":\"text\"}}}}")
        .ok();
    http.delete("/one-more").ok();
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
