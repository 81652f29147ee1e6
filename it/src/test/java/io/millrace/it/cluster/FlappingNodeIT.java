package io.millrace.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.chaos.Network;
import io.millrace.it.chaos.Network.Direction;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The connections of one of three nodes break and come back, again and again, while clients write
 * at the two others. Counted is what moves: copies in a place where none was before, looked at each
 * time that the cluster has settled.
 *
 * <p>Without {@code index.unassigned.node_left.delayed_timeout} a replica is built elsewhere at
 * once; with stock's minute it waits for a node that is back sooner.
 *
 * <p>Run with {@code -Dmillrace.flap.cycles=20}.
 */
@EnabledIfSystemProperty(named = "millrace.flap.cycles", matches = "\\d+")
class FlappingNodeIT {
  private static final int CYCLES = Integer.getInteger("millrace.flap.cycles", 20);
  private static final int NODES = 3;
  private static final String INDEX = "written";

  @ParameterizedTest
  @CsvSource({"MILLRACE,0s", "STOCK,0s", "MILLRACE,1m", "STOCK,1m"})
  void shardsThatMove(Tree tree, String delay) throws Exception {
    try (Network network = new Network()) {
      try (Cluster cluster =
          Cluster.of(tree, NODES).publishing(network::proxy).optimized().start()) {
        network.between(cluster);
        String manager = new KnownManager(cluster.nodes()).await();
        int flapping = manager.equals("node-2") ? 1 : 2;
        ClusterNode watching = cluster.node(0);
        ShardPlaces.make(watching.http(), INDEX, 12);
        watching
            .http()
            .put(
                "/" + INDEX + "/_settings",
                "{\"index.unassigned.node_left.delayed_timeout\":\"" + delay + "\"}")
            .ok();
        List<ClusterNode> staying =
            cluster.nodes().stream().filter(node -> node != cluster.node(flapping)).toList();
        try (Writers writers = new Writers(INDEX, staying)) {
          writers.await(2_000);
          long copies = ShardPlaces.on("node-" + flapping, ShardPlaces.places(watching.http()));
          int moved = flap(network, flapping, watching.http(), delay.equals("0s"));
          writers.finish();
          tell(tree, delay, copies, moved, writers, writers.lost(watching.http()));
        }
      }
    }
  }

  /**
   * @param settles whether the copies of the node are built elsewhere before it comes back
   * @return how many copies moved
   */
  private static int flap(Network network, int flapping, JsonHttp http, boolean settles) {
    Set<Direction> all = new HashSet<>();
    for (int other = 0; other < NODES; other++) {
      if (other != flapping) {
        all.add(new Direction(flapping, other));
        all.add(new Direction(other, flapping));
      }
    }
    int moved = 0;
    Set<ShardPlaces.Place> before = ShardPlaces.places(http);
    for (int i = 0; i < CYCLES; i++) {
      network.part(all, false);
      ShardPlaces.awaitNodes(http, NODES - 1);
      if (settles) {
        ShardPlaces.awaitSettled(http);
        Set<ShardPlaces.Place> away = ShardPlaces.places(http);
        moved += ShardPlaces.moved(before, away);
        before = away;
      }
      network.heal();
      ShardPlaces.awaitNodes(http, NODES);
      ShardPlaces.awaitSettled(http);
      Set<ShardPlaces.Place> back = ShardPlaces.places(http);
      moved += ShardPlaces.moved(before, back);
      before = back;
    }
    return moved;
  }

  private static void tell(
      Tree tree, String delay, long copies, int moved, Writers writers, long lost) {
    System.out.printf(
        Locale.ROOT,
        "%s, delay %s: %d cycles of a node with %d copies moved %d; %s, %d lost%n",
        tree,
        delay,
        CYCLES,
        copies,
        moved,
        writers,
        lost);
    assertEquals(0, lost);
    if (tree == Tree.MILLRACE) {
      assertTrue(moved <= copies, "moved " + moved + " of " + copies);
    }
  }
}
