package io.millrace.cluster.balance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.opensearch.test.OpenSearchTestCase;

/**
 * What a round of allocation takes beside stock's. {@code -Dmillrace.balance.round.shards=100000
 * -Dmillrace.balance.round.nodes=100} is the cluster of the figures; the times are printed and not
 * asserted.
 */
public class AllocationRoundFuzz extends OpenSearchTestCase {
  private static final int NODES = Integer.getInteger("millrace.balance.round.nodes", 10);
  private static final int SHARDS = Integer.getInteger("millrace.balance.round.shards", 1_000);

  public void testARoundOfALargeCluster() {
    for (boolean millrace : new boolean[] {false, true}) {
      String who = millrace ? "millrace" : "stock";
      SimulatedCluster cluster = new SimulatedCluster(millrace, SimulatedCluster.FAST);
      cluster.addNodes(NODES);
      List<SimulatedCluster.NewIndex> indices = new ArrayList<>();
      Random random = new Random(7);
      for (int i = 0; i < SHARDS / 4; i++) {
        double write = i % 20 == 0 ? random.nextDouble() : 0;
        indices.add(
            SimulatedCluster.NewIndex.of("logs-" + letters(i) + "-000001", 2, 1, write, 1e9));
      }
      cluster.createStarted(indices);
      cluster.measure(random, 0.1);
      cluster.weigh(1e14);
      for (int i = 0; i < 3; i++) {
        cluster.pass(11);
        timed(cluster, who, "nothing new");
        cluster.start(true);
      }
      cluster.create(
          List.of(SimulatedCluster.NewIndex.of("logs-" + letters(0) + "-000002", 2, 1, 1, 1e9)));
      timed(cluster, who, "one new index");
      cluster.start(true);
      cluster.addNodes(1);
      cluster.pass(11);
      timed(cluster, who, "a node has joined");
      assertTrue(cluster.start(true));
    }
  }

  /** A name of its own for each number, without digits: digits would make a series of them. */
  private static String letters(int number) {
    StringBuilder name = new StringBuilder();
    for (int rest = number; rest > 0 || name.isEmpty(); rest /= 26) {
      name.append((char) ('a' + rest % 26));
    }
    return name.toString();
  }

  private static void timed(SimulatedCluster cluster, String who, String what) {
    cluster.allocator.takeMillis();
    cluster.reroute();
    System.out.printf(
        "%d nodes, %d shards, %s: %s took %d ms of CPU%n",
        NODES, SHARDS, who, what, cluster.allocator.takeMillis());
  }
}
