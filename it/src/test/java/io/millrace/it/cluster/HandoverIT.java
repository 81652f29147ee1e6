package io.millrace.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.chaos.ManagerHandover;
import io.millrace.it.support.Percentile;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The role of the cluster manager moves again and again while three clients write: by request to a
 * chosen node on Millrace; by an exclusion from the voting configuration on stock, which has no
 * request, with a node in mind that the exclusion cannot name. Times are printed, until the request
 * is answered and until all three nodes name the new one.
 *
 * <p>Run with {@code -Dmillrace.handover.rounds=100}.
 */
@EnabledIfSystemProperty(named = "millrace.handover.rounds", matches = "\\d+")
class HandoverIT {
  private static final int ROUNDS = Integer.getInteger("millrace.handover.rounds", 100);
  private static final String INDEX = "written";

  private final Random random = new Random(17);
  private final List<Double> answered = new ArrayList<>();
  private final List<Double> known = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(Tree.class)
  void theRoleMovesWhileClientsWrite(Tree tree) throws Exception {
    try (Cluster cluster = Cluster.of(tree, 3).optimized().start()) {
      ShardPlaces.make(cluster.http(), INDEX, 3);
      KnownManager manager = new KnownManager(cluster.nodes());
      try (Writers writers = new Writers(INDEX, cluster.nodes())) {
        writers.await(3_000);
        for (int i = 0; i < ROUNDS; i++) {
          handOver(manager, cluster.nodes(), tree == Tree.MILLRACE);
        }
        writers.finish();
        tell(tree, writers, writers.lost(cluster.http()));
      }
    }
  }

  private void handOver(KnownManager manager, List<ClusterNode> nodes, boolean ours)
      throws InterruptedException {
    manager.awaitVotes();
    String former = manager.await();
    List<ClusterNode> others = nodes.stream().filter(node -> !node.name().equals(former)).toList();
    ClusterNode chosen = others.get(random.nextInt(others.size()));
    ManagerHandover handover = new ManagerHandover(manager.node(former), chosen, ours);
    long begun = System.nanoTime();
    try {
      handover.begin();
      answered.add(millis(begun));
      String now = manager.awaitOther(former);
      known.add(millis(begun));
      if (!now.equals(chosen.name())) {
        missed.add(chosen.name() + " was chosen, " + now + " has it");
      }
    } catch (AssertionError refused) {
      missed.add(refused.getMessage());
    } finally {
      handover.end();
    }
  }

  private static double millis(long begun) {
    return (System.nanoTime() - begun) / 1e6;
  }

  private void tell(Tree tree, Writers writers, long lost) {
    System.out.printf(
        Locale.ROOT,
        "%s: %d handovers, the chosen node in %d; answered after %.0f ms in the median, %.0f at"
            + " most; known to all nodes after %.0f ms in the median, %.0f at most; %s, %d lost%n",
        tree,
        ROUNDS,
        ROUNDS - missed.size(),
        Percentile.of(answered, 50),
        Percentile.of(answered, 100),
        Percentile.of(known, 50),
        Percentile.of(known, 100),
        writers,
        lost);
    assertEquals(0, lost);
    if (tree == Tree.MILLRACE) {
      assertTrue(missed.size() * 100 <= ROUNDS, missed.toString());
      assertEquals(Set.of("200"), writers.answers().keySet(), writers.toString());
    }
  }
}
