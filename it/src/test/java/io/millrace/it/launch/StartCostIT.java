package io.millrace.it.launch;

import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What it costs to start a node, stock and Millrace in turn: CPU time of its process and the time
 * on the wall until it answers and is green. Three starts of each: the first on an empty folder,
 * the second on what the first left, the third on a number of indices. It asserts no figure and
 * prints them.
 *
 * <p>The first start of Millrace in a fresh tree lists its classes, and the archive of them is made
 * before the second round ({@code bin/opensearch-archive}): from there on all its starts have it.
 *
 * <p>Run with {@code -Dmillrace.start.cost=ROUNDS}; {@code -Dmillrace.start.cost.indices=N} makes
 * that many indices of one shard, 100 unless told. The machine must be at rest. CPU does not count
 * the script before the server, which parses its flags; the time on the wall does.
 */
@EnabledIfSystemProperty(named = "millrace.start.cost", matches = "\\d+")
class StartCostIT {
  private static final int ROUNDS = Integer.getInteger("millrace.start.cost", 3);
  private static final int INDICES = Integer.getInteger("millrace.start.cost.indices", 100);

  @Test
  void startsInTurn() throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      for (Tree tree : List.of(Tree.STOCK, Tree.MILLRACE)) {
        starts(round, tree);
      }
    }
  }

  private static void starts(int round, Tree tree) throws InterruptedException {
    long begun = System.nanoTime();
    Cluster.Builder plan = Cluster.of(tree, 1).optimized().heap("1g");
    if (tree == Tree.STOCK) {
      plan.withoutArchives();
    }
    try (Cluster cluster = plan.start()) {
      print(round, tree, "empty", begun, cluster);
      again(round, tree, "again", cluster);
      for (int i = 0; i < INDICES; i++) {
        cluster
            .http()
            .put(
                "/some-" + i,
                "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0},"
                    + "\"mappings\":{\"properties\":{\"message\":{\"type\":\"text\"}}}}")
            .ok();
      }
      again(round, tree, INDICES + " indices", cluster);
    }
  }

  private static void again(int round, Tree tree, String what, Cluster cluster)
      throws InterruptedException {
    ClusterNode node = cluster.node(0);
    node.stop();
    long begun = System.nanoTime();
    node.start();
    node.awaitAnswer();
    print(round, tree, what, begun, cluster);
  }

  private static void print(int round, Tree tree, String what, long begun, Cluster cluster) {
    cluster.awaitGreen();
    System.out.printf(
        Locale.ROOT,
        "round %d, %s, %s: %.1f s of CPU, %.1f s%n",
        round,
        tree,
        what,
        cluster.node(0).process().cpuNanos() / 1e9,
        (System.nanoTime() - begun) / 1e9);
  }
}
