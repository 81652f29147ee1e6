package io.millrace.cluster.flapdamping;

import io.millrace.cluster.fastrestart.RestartAction;
import io.millrace.cluster.fastrestart.RestartRequest;
import io.millrace.cluster.fastrestart.RestartRequest.Verb;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.command.MoveAllocationCommand;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** A node that was restarted too often gets no shards, says why, and gets them when it stayed. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 0,
    supportsDedicatedMasters = false,
    numClientNodes = 0)
public class FlapDampingNodeTests extends OpenSearchIntegTestCase {
  private static final String PREFIX = "millrace.cluster.flap_damping.";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(FlapHost.class);
  }

  private static void set(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  /** Shards of the index that are on the node or on their way to it. */
  private long shardsOn(String node) {
    ClusterState state = clusterService().state();
    return state.routingTable().allShards("a").stream()
        .filter(ShardRouting::assignedToNode)
        .filter(shard -> state.nodes().get(shard.currentNodeId()).getName().equals(node))
        .count();
  }

  /** What the cluster says of the first shard. */
  private static String explained(boolean primary) {
    return Strings.toString(
        MediaTypeRegistry.JSON,
        client()
            .admin()
            .cluster()
            .prepareAllocationExplain()
            .setIndex("a")
            .setShard(0)
            .setPrimary(primary)
            .get()
            .getExplanation());
  }

  /**
   * @param others nodes beside the one that flaps
   */
  private String flapping(boolean on, int others) throws Exception {
    internalCluster().startNodes(others);
    String flapping = internalCluster().startDataOnlyNode();
    set(
        Settings.builder()
            .put(PREFIX + "enabled", on)
            .put(PREFIX + "settle", "1d")
            .put("cluster.routing.rebalance.enable", "none"));
    internalCluster().restartNode(flapping);
    internalCluster().restartNode(flapping);
    ensureStableCluster(others + 1);
    createIndex(
        "a",
        Settings.builder()
            .put("index.number_of_shards", 2)
            .put("index.number_of_replicas", 1)
            .build());
    ensureGreen("a");
    return flapping;
  }

  public void testANodeThatFlapsGetsShardsWhenItHasStayed() throws Exception {
    String flapping = flapping(true, 2);
    assertEquals(0, shardsOn(flapping));
    String why = explained(true);
    assertTrue(why, why.contains("the node has joined [3] times within [10m]"));
    // it has stayed: a shorter time to settle, and the node's own look at the clock
    set(
        Settings.builder()
            .put(PREFIX + "settle", "100ms")
            .put("cluster.routing.rebalance.enable", "all"));
    assertBusy(
        () -> {
          client().admin().cluster().prepareReroute().get();
          assertTrue(shardsOn(flapping) > 0);
        },
        60,
        TimeUnit.SECONDS);
  }

  public void testAReplicaThatNoOtherNodeCanTakeGoesToANodeThatFlaps() throws Exception {
    String flapping = flapping(true, 1);
    assertEquals(2, shardsOn(flapping));
  }

  public void testAnAnnouncedRestartDoesNotCount() throws Exception {
    internalCluster().startNodes(2);
    String node = internalCluster().startDataOnlyNode();
    set(Settings.builder().put(PREFIX + "settle", "1d").put(PREFIX + "joins", 2));
    client()
        .execute(
            RestartAction.INSTANCE,
            new RestartRequest(Verb.BEGIN, node, TimeValue.timeValueMinutes(10)))
        .actionGet();
    internalCluster().restartNode(node);
    ensureStableCluster(3);
    createIndex(
        "a",
        Settings.builder()
            .put("index.number_of_shards", 3)
            .put("index.number_of_replicas", 1)
            .build());
    ensureGreen("a");
    assertTrue(shardsOn(node) > 0);
  }

  /** Four shards on the first of two nodes; the second has just come back and may have some. */
  private String[] placesAfterReturn() throws Exception {
    String stays = internalCluster().startNode();
    String back = internalCluster().startDataOnlyNode();
    set(Settings.builder().put(PREFIX + "settle", "1d"));
    createIndex(
        "a",
        Settings.builder()
            .put("index.number_of_shards", 4)
            .put("index.number_of_replicas", 0)
            .put("index.routing.allocation.exclude._name", back)
            .build());
    ensureGreen("a");
    internalCluster().restartNode(back);
    ensureStableCluster(2);
    exclude("");
    return new String[] {stays, back};
  }

  private void exclude(String node) {
    client()
        .admin()
        .indices()
        .prepareUpdateSettings("a")
        .setSettings(Settings.builder().put("index.routing.allocation.exclude._name", node))
        .get();
    client().admin().cluster().prepareReroute().get();
  }

  public void testShardsWithAnotherPlaceAreNotMovedToANodeThatHasJustComeBack() throws Exception {
    String back = placesAfterReturn()[1];
    assertEquals(0, shardsOn(back));
    String why = explained(true);
    assertTrue(why, why.contains("the node was away and has come back"));
    set(Settings.builder().put(PREFIX + "settle", "100ms"));
    assertBusy(
        () -> {
          client().admin().cluster().prepareReroute().get();
          assertEquals(2, shardsOn(back));
        },
        60,
        TimeUnit.SECONDS);
  }

  public void testACommandIsFollowedOnANodeThatHasJustComeBack() throws Exception {
    String[] nodes = placesAfterReturn();
    assertEquals(0, shardsOn(nodes[1]));
    client()
        .admin()
        .cluster()
        .prepareReroute()
        .add(new MoveAllocationCommand("a", 2, nodes[0], nodes[1]))
        .get();
    assertBusy(() -> assertEquals(1, shardsOn(nodes[1])), 60, TimeUnit.SECONDS);
  }

  public void testACommandIsFollowedOnANodeThatFlaps() throws Exception {
    String flapping = flapping(true, 2);
    assertEquals(0, shardsOn(flapping));
    String from =
        client()
            .admin()
            .cluster()
            .prepareState()
            .get()
            .getState()
            .routingTable()
            .index("a")
            .shard(0)
            .primaryShard()
            .currentNodeId();
    client()
        .admin()
        .cluster()
        .prepareReroute()
        .add(new MoveAllocationCommand("a", 0, from, flapping))
        .get();
    assertBusy(() -> assertEquals(1, shardsOn(flapping)), 60, TimeUnit.SECONDS);
  }

  public void testShardsThatHaveToLeaveMoveToANodeThatHasJustComeBack() throws Exception {
    String[] nodes = placesAfterReturn();
    exclude(nodes[0]);
    assertBusy(() -> assertEquals(4, shardsOn(nodes[1])), 60, TimeUnit.SECONDS);
  }

  public void testOffLeavesStock() throws Exception {
    String flapping = flapping(false, 2);
    assertTrue(shardsOn(flapping) > 0);
  }

  public void testDataThatOnlyTheNodeHasComesBackAtOnce() throws Exception {
    internalCluster().startNode();
    String flapping = internalCluster().startDataOnlyNode();
    set(Settings.builder().put(PREFIX + "settle", "1d"));
    createIndex(
        "a",
        Settings.builder()
            .put("index.number_of_replicas", 0)
            .put("index.routing.allocation.require._name", flapping)
            .build());
    client().prepareIndex("a").setId("1").setSource("n", 1).get();
    for (int i = 0; i < 3; i++) {
      internalCluster().restartNode(flapping);
    }
    ensureGreen("a");
    assertTrue(client().prepareGet("a", "1").get().isExists());
  }
}
