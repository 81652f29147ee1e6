package io.millrace.cluster.balance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.ShardRoutingState;
import org.opensearch.cluster.routing.allocation.AllocateUnassignedDecision;
import org.opensearch.cluster.routing.allocation.AllocationDecision;
import org.opensearch.cluster.routing.allocation.MoveDecision;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchTestCase;

/**
 * OpenSearch's own allocation service and deciders, side by side with stock's allocator, on
 * clusters of random loads. {@code -Dmillrace.fuzz.balance=5} takes more seeds and prints the
 * figures.
 */
public class BalanceSimulationFuzz extends OpenSearchTestCase {
  private static final int SEEDS = Integer.getInteger("millrace.fuzz.balance", 2);

  private static final int SERIES = 15;

  private static void compare(RolloverScenario scenario, String name) {
    for (int seed = 0; seed < SEEDS; seed++) {
      RolloverScenario.Result stock = scenario.run(false, seed);
      RolloverScenario.Result own = scenario.run(true, seed);
      System.out.printf("%s, seed %d%n  stock:    %s%n  millrace: %s%n", name, seed, stock, own);
      String what = name + ", seed " + seed + ": " + own + " beside " + stock;
      assertTrue(what, own.write() <= 1.3);
      assertTrue(what, own.write() <= stock.write());
      assertTrue(what, own.writeAtOnce() <= stock.writeAtOnce());
      assertTrue(what, own.bytes() <= Math.max(stock.bytes(), 1.15));
      assertTrue(what, own.cluster().pauses.stream().allMatch(pause -> pause >= 10));
    }
  }

  public void testASmallClusterGetsOneNodeMore() {
    compare(new RolloverScenario(6, 1, 60, 40, 0.2), "6+1 nodes");
  }

  public void testAClusterGetsTwoNodesMore() {
    compare(new RolloverScenario(10, 2, 150, 80, 0.2), "10+2 nodes");
  }

  /** The day of {@code WriteSkewIT}: the counters of the shards tell what is written. */
  private static double skewOfMeasured(boolean millrace, long seed) {
    SimulatedCluster cluster = new SimulatedCluster(millrace, Settings.EMPTY);
    SimulatedWriting writing = new SimulatedWriting(cluster, seed);
    cluster.addNodes(3);
    generation(cluster, 1);
    for (int round = 0; round < 10; round++) {
      round(cluster, writing);
    }
    cluster.addNodes(2);
    for (int series = 0; series < SERIES; series++) {
      cluster.truth.put(name(series, 1), new SimulatedCluster.Truth(0, 1e7));
    }
    generation(cluster, 2);
    double sum = 0;
    for (int round = 0; round < 18; round++) {
      round(cluster, writing);
      sum += round < 9 ? 0 : cluster.skew(SimulatedCluster.Truth::write) / 9;
    }
    assertTrue(cluster.pauses.stream().allMatch(pause -> pause >= 10));
    return sum;
  }

  private static String name(int series, int generation) {
    return "series-" + (char) ('a' + series) + "-" + generation;
  }

  private static void generation(SimulatedCluster cluster, int generation) {
    double all = 0;
    for (int series = 0; series < SERIES; series++) {
      all += Math.pow(series + 1, -0.8);
    }
    for (int series = 0; series < SERIES; series++) {
      double documents = 3_000 * Math.pow(series + 1, -0.8) / all;
      cluster.create(
          List.of(SimulatedCluster.NewIndex.of(name(series, generation), 1, 1, documents, 1e7)));
      cluster.reroute();
      cluster.start(false);
      cluster.reroute();
      cluster.start(false);
    }
  }

  /** Half a minute of writing, the poll, and the round of allocation that it asks for. */
  private static void round(SimulatedCluster cluster, SimulatedWriting writing) {
    writing.write(30);
    writing.poll(Math.exp(-30.0 / 300));
    cluster.reroute();
    cluster.start(true);
  }

  public void testTheDayOfFiveRealNodes() {
    for (int seed = 0; seed < SEEDS; seed++) {
      double stock = skewOfMeasured(false, seed);
      double own = skewOfMeasured(true, seed);
      System.out.printf("measured, seed %d: stock %.2f, millrace %.2f%n", seed, stock, own);
      assertTrue("seed " + seed + ": " + own + " beside " + stock, own <= 1.3 && own <= stock);
    }
  }

  private static SimulatedCluster even(int nodes, int indices) {
    SimulatedCluster cluster = new SimulatedCluster(true, SimulatedCluster.FAST);
    cluster.addNodes(nodes);
    List<SimulatedCluster.NewIndex> all = new ArrayList<>();
    for (int i = 0; i < indices; i++) {
      all.add(SimulatedCluster.NewIndex.of("index-" + "x".repeat(i + 1), 1, 1, 1, 1L << 30));
    }
    cluster.create(all);
    cluster.weigh(1e12);
    cluster.measure(new Random(1), 0);
    cluster.settle(100);
    return cluster;
  }

  public void testAnEvenClusterStaysAsItIs() {
    SimulatedCluster cluster = even(4, 40);
    cluster.moved = 0;
    for (int i = 0; i < 20; i++) {
      cluster.measure(new Random(i), 0.1);
      cluster.pass(11);
      cluster.reroute();
      cluster.start(true);
    }
    assertEquals(0, cluster.moved);
  }

  public void testAShardThatBecomesHotLeavesAHotNode() {
    SimulatedCluster cluster = even(4, 40);
    // everything that has its primary on n0 writes five times as much
    for (ShardRouting shard : cluster.state.getRoutingNodes().node("n0")) {
      if (shard.primary()) {
        cluster.truth.put(shard.getIndexName(), new SimulatedCluster.Truth(5, 1L << 30));
      }
    }
    double before = cluster.skew(SimulatedCluster.Truth::write);
    cluster.measure(new Random(1), 0);
    cluster.settle(200);
    assertTrue("skew before: " + before, before > 1.4);
    double after = cluster.skew(SimulatedCluster.Truth::write);
    assertTrue("skew after: " + after, after < 1.2);
    MoveLog.Move first = cluster.balancing.log().last().getLast();
    assertEquals("n0", first.from().node());
    assertEquals("write_load", first.gain().reason());
  }

  public void testANodeAboveTheWatermarkGetsNothing() {
    SimulatedCluster cluster = even(3, 30);
    cluster.addNodes(1);
    // the new node has no room, although it has nothing of ours
    cluster.weigh(1e12);
    cluster.fill("n3");
    cluster.settle(50);
    assertEquals(0, cluster.state.getRoutingNodes().node("n3").size());
    cluster.create(List.of(SimulatedCluster.NewIndex.of("late", 3, 1, 1, 1L << 30)));
    cluster.settle(50);
    assertEquals(0, cluster.state.getRoutingNodes().node("n3").size());
    assertTrue(cluster.state.getRoutingNodes().unassigned().isEmpty());
  }

  public void testNodesThatAFilterExcludesDoNotHideTheOthers() {
    SimulatedCluster cluster = new SimulatedCluster(true, SimulatedCluster.FAST);
    cluster.addNodes(6);
    Settings warm =
        Settings.builder().put("index.routing.allocation.include._name", "n0,n1,n2").build();
    List<SimulatedCluster.NewIndex> all = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      all.add(
          new SimulatedCluster.NewIndex(
              "hot-" + "x".repeat(i), 1, 0, warm, new SimulatedCluster.Truth(1 + i % 7, 1e9)));
    }
    cluster.create(all);
    cluster.weigh(1e12);
    cluster.settle(100);
    cluster.measure(new Random(1), 0);
    cluster.settle(200);
    List<Double> writes = new ArrayList<>();
    for (RoutingNode node : cluster.state.getRoutingNodes()) {
      double has = 0;
      for (ShardRouting shard : node) {
        has += cluster.truth(shard).write();
      }
      writes.add(has);
    }
    writes.sort(null);
    assertEquals(List.of(0.0, 0.0, 0.0), writes.subList(0, 3));
    assertTrue(writes.toString(), writes.get(5) - writes.get(3) <= 0.2 * writes.get(4));
  }

  public void testCopiesOfAnIndexAreSpread() {
    SimulatedCluster cluster = even(5, 20);
    cluster.create(List.of(SimulatedCluster.NewIndex.of("wide", 10, 1, 0.1, 1e9)));
    cluster.settle(50);
    for (RoutingNode node : cluster.state.getRoutingNodes()) {
      assertEquals(4, node.shardsWithState("wide", ShardRoutingState.STARTED).size());
    }
  }

  public void testExplainSaysWhereAnUnassignedShardGoes() {
    SimulatedCluster cluster = even(4, 20);
    cluster.addNodes(1);
    cluster.create(List.of(SimulatedCluster.NewIndex.of("new", 1, 0, 1, 1e9)));
    ShardRouting shard = cluster.state.routingTable().index("new").shard(0).primaryShard();
    AllocateUnassignedDecision said = cluster.explain(shard).getAllocateDecision();
    assertEquals(AllocationDecision.YES, said.getAllocationDecision());
    assertEquals(5, said.getNodeDecisions().size());
    cluster.reroute();
    assertEquals(
        said.getTargetNode().getId(),
        cluster.state.routingTable().index("new").shard(0).primaryShard().currentNodeId());
  }

  public void testExplainSaysWhichShardMovesAndWhichOneDoesNot() {
    SimulatedCluster cluster = even(4, 40);
    for (ShardRouting shard : cluster.state.getRoutingNodes().node("n0")) {
      if (shard.primary()) {
        cluster.truth.put(shard.getIndexName(), new SimulatedCluster.Truth(5, 1L << 30));
      }
    }
    cluster.measure(new Random(1), 0);
    cluster.pass(11);
    List<ShardRouting> before = started(cluster);
    List<ShardRouting> willing =
        before.stream()
            .filter(shard ->
                cluster.explain(shard).getMoveDecision().getAllocationDecision()
                    == AllocationDecision.YES)
            .toList();
    cluster.reroute();
    List<ShardRouting> moving =
        before.stream()
            .filter(shard ->
                cluster
                    .state
                    .getRoutingNodes()
                    .node(shard.currentNodeId())
                    .getByShardId(shard.shardId())
                    .relocating())
            .toList();
    assertFalse(moving.isEmpty());
    assertTrue("the first move was foretold", willing.contains(moving.get(0)));
    ShardRouting moved = moving.get(0);
    String target =
        cluster
            .state
            .getRoutingNodes()
            .node(moved.currentNodeId())
            .getByShardId(moved.shardId())
            .relocatingNodeId();
    assertNotEquals(moved.currentNodeId(), target);
    cluster.start(true);
    ShardRouting arrived =
        cluster.state.getRoutingNodes().node(target).getByShardId(moved.shardId());
    MoveDecision quiet = cluster.explain(arrived).getMoveDecision();
    assertFalse(quiet.canRebalanceCluster());
    assertTrue(
        quiet.getClusterRebalanceDecision().toString(),
        quiet.getClusterRebalanceDecision().toString().contains("quiet_time"));
    cluster.settle(200);
    cluster.pass(11);
    for (ShardRouting shard : started(cluster)) {
      assertEquals(
          AllocationDecision.NO, cluster.explain(shard).getMoveDecision().getAllocationDecision());
    }
  }

  private static List<ShardRouting> started(SimulatedCluster cluster) {
    List<ShardRouting> started = new ArrayList<>();
    for (RoutingNode node : cluster.state.getRoutingNodes()) {
      node.shardsWithState(ShardRoutingState.STARTED).forEach(started::add);
    }
    return started;
  }

  public void testThrottledShardsWaitAsWithStock() {
    for (boolean millrace : new boolean[] {false, true}) {
      SimulatedCluster cluster =
          new SimulatedCluster(
              millrace,
              RolloverScenario.with(
                  "cluster.routing.allocation.node_initial_primaries_recoveries", "1"));
      cluster.addNodes(2);
      cluster.create(List.of(SimulatedCluster.NewIndex.of("wide", 5, 0, 0, 0)));
      cluster.reroute();
      assertEquals(3, cluster.state.getRoutingNodes().unassigned().size());
      for (ShardRouting shard : cluster.state.getRoutingNodes().unassigned()) {
        assertEquals("DECIDERS_THROTTLED", shard.unassignedInfo().getLastAllocationStatus().name());
      }
      cluster.settle(20);
      assertTrue(cluster.state.getRoutingNodes().unassigned().isEmpty());
    }
  }

  public void testAReplicaWithoutANodeIsMarkedAsWithStock() {
    List<List<String>> statuses = new ArrayList<>();
    for (boolean millrace : new boolean[] {false, true}) {
      SimulatedCluster cluster = new SimulatedCluster(millrace, SimulatedCluster.FAST);
      cluster.addNodes(1);
      cluster.create(List.of(SimulatedCluster.NewIndex.of("one", 1, 2, 0, 0)));
      cluster.settle(10);
      List<String> marks = new ArrayList<>();
      for (ShardRouting shard : cluster.state.getRoutingNodes().unassigned()) {
        marks.add(shard.unassignedInfo().getLastAllocationStatus().name());
      }
      assertEquals(2, marks.size());
      statuses.add(marks);
    }
    assertEquals(statuses.get(0), statuses.get(1));
  }
}
