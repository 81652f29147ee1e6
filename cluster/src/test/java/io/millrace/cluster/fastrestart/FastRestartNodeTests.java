package io.millrace.cluster.fastrestart;

import io.millrace.cluster.fastrestart.RestartRequest.Verb;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.action.admin.indices.stats.ShardStats;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Copies wait for the node that was announced, and for no other, and not for ever. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 0,
    supportsDedicatedMasters = false,
    numClientNodes = 0)
public class FastRestartNodeTests extends OpenSearchIntegTestCase {
  private static final TimeValue LONG = TimeValue.timeValueHours(1);

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(FastRestartHost.class);
  }

  @Override
  protected Settings nodeSettings(int ordinal) {
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        .put("cluster.routing.rebalance.enable", "none")
        .build();
  }

  private static RestartResponse ask(Verb verb, String node, TimeValue ttl) {
    return client()
        .execute(RestartAction.INSTANCE, new RestartRequest(verb, node, ttl))
        .actionGet(TimeValue.timeValueMinutes(2));
  }

  /** Two copies on three nodes, and stock would build a lost one anew at once. */
  private List<String> threeNodes() {
    List<String> nodes = internalCluster().startNodes(3);
    createIndex(
        "a",
        Settings.builder()
            .put("index.number_of_shards", 3)
            .put("index.number_of_replicas", 1)
            .put("index.unassigned.node_left.delayed_timeout", "0ms")
            .build());
    ensureGreen("a");
    for (int i = 0; i < 30; i++) {
      client().prepareIndex("a").setId("" + i).setSource("n", i).get();
    }
    return nodes;
  }

  /** "shard node" of every copy that has a place. */
  private static Set<String> places() {
    ClusterState state = client().admin().cluster().prepareState().get().getState();
    Set<String> places = new TreeSet<>();
    for (ShardRouting shard : state.routingTable().allShards("a")) {
      if (shard.assignedToNode()) {
        places.add(shard.id() + " " + state.nodes().get(shard.currentNodeId()).getName());
      }
    }
    return places;
  }

  /** A node that is there and is not the cluster manager. */
  private static boolean idle(String node) {
    return Set.of(internalCluster().getNodeNames()).contains(node) && !manages(node);
  }

  private static boolean manages(String node) {
    return internalCluster().getClusterManagerName().equals(node);
  }

  private void assertAllThere() {
    refresh("a");
    assertEquals(30, client().prepareSearch("a").get().getHits().getTotalHits().value());
  }

  public void testCopiesOfAnAnnouncedClusterManagerAreOnItAgainAndNowhereElse() throws Exception {
    threeNodes();
    String node = internalCluster().getClusterManagerName();
    Set<String> before = places();
    RestartResponse begun = ask(Verb.BEGIN, node, LONG);
    assertEquals(node, begun.awaited().get(0).name());
    assertEquals(1, begun.notes().size());
    assertTrue(begun.notes().get(0), begun.notes().get(0).endsWith("is cluster manager now"));
    assertFalse(manages(node));
    String id = begun.awaited().get(0).id();
    internalCluster()
        .restartNode(
            node,
            new InternalTestCluster.RestartCallback() {
              @Override
              public Settings onNodeStopped(String name) throws Exception {
                ensureStableCluster(2);
                ensureYellow("a");
                client().admin().cluster().prepareReroute().get();
                RestartResponse status = ask(Verb.STATUS, "", LONG);
                assertFalse(status.awaited().get(0).present());
                int waiting = status.awaited().get(0).copies();
                assertEquals(before.size() - places().size(), waiting);
                assertTrue("" + waiting, waiting > 0);
                assertTrue(before.containsAll(places()));
                assertTrue(explanation(), explanation().contains("waits for node [" + id + "]"));
                return Settings.EMPTY;
              }
            });
    ensureGreen("a");
    assertEquals(before, places());
    assertTrue(ask(Verb.END, node, LONG).awaited().isEmpty());
    assertAllThere();
  }

  private static String explanation() throws Exception {
    return Strings.toString(
        MediaTypeRegistry.JSON,
        client().admin().cluster().prepareAllocationExplain().get().getExplanation());
  }

  public void testWithoutAnAnnouncementStockBuildsThemAnew() throws Exception {
    threeNodes();
    Set<String> before = places();
    String node = internalCluster().getClusterManagerName();
    internalCluster().stopRandomNode(InternalTestCluster.nameFilter(node));
    ensureStableCluster(2);
    ensureGreen("a");
    assertNotEquals(before, places());
    assertAllThere();
  }

  public void testTheEndOfTheTimeAndTheEndByRequestLetThemGo() throws Exception {
    List<String> nodes = threeNodes();
    String first = nodes.stream().filter(node -> !manages(node)).findFirst().orElseThrow();
    String id = ask(Verb.BEGIN, first, LONG).awaited().get(0).id();
    internalCluster().stopRandomNode(InternalTestCluster.nameFilter(first));
    ensureStableCluster(2);
    ensureYellow("a");
    // announced again by nobody, ended by its id
    assertTrue(ask(Verb.END, id, LONG).awaited().isEmpty());
    ensureGreen("a");

    String second = nodes.stream().filter(FastRestartNodeTests::idle).findFirst().orElseThrow();
    internalCluster().startNode();
    ensureStableCluster(3);
    ask(Verb.BEGIN, second, TimeValue.timeValueSeconds(1));
    internalCluster().stopRandomNode(InternalTestCluster.nameFilter(second));
    ensureStableCluster(2);
    ensureGreen("a");
    assertAllThere();
  }

  /** Queries that each node has answered for the index. */
  private static long queriesOf(String node) {
    String id = internalCluster().clusterService(node).localNode().getId();
    long queries = 0;
    for (ShardStats shard : client().admin().indices().prepareStats("a").get().getShards()) {
      if (id.equals(shard.getShardRouting().currentNodeId())) {
        queries += shard.getStats().getSearch().getTotal().getQueryCount();
      }
    }
    return queries;
  }

  public void testSearchesLeaveANodeThatIsAnnouncedAndComeBackToIt() {
    List<String> nodes = threeNodes();
    String node = nodes.stream().filter(FastRestartNodeTests::idle).findFirst().orElseThrow();
    long before = queriesOf(node);
    ask(Verb.BEGIN, node, LONG);
    for (int i = 0; i < 20; i++) {
      // clients of tests have a preference of their own, now and then
      assertEquals(0, client().prepareSearch("a").setPreference(null).get().getFailedShards());
    }
    assertEquals(before, queriesOf(node));
    // a preference is kept
    String id = internalCluster().clusterService(node).localNode().getId();
    client().prepareSearch("a").setPreference("_prefer_nodes:" + id).get();
    assertTrue(queriesOf(node) > before);
    ask(Verb.END, node, LONG);
    long ended = queriesOf(node);
    for (int i = 0; i < 40; i++) {
      client().prepareSearch("a").setPreference(null).get();
    }
    assertTrue(queriesOf(node) > ended);
  }

  public void testTheOnlyNodeIsAskedAllTheSame() {
    String node = internalCluster().startNode();
    createIndex("a", Settings.builder().put("index.number_of_replicas", 0).build());
    ensureGreen("a");
    client().prepareIndex("a").setId("1").setSource("n", 1).get();
    RestartResponse begun = ask(Verb.BEGIN, node, LONG);
    assertTrue(begun.notes().toString(), begun.notes().toString().contains("has no other copy"));
    refresh("a");
    assertEquals(1, client().prepareSearch("a").get().getHits().getTotalHits().value());
  }

  public void testAnnouncedTwiceTheLastTimeCounts() {
    String node = internalCluster().startNode();
    ask(Verb.BEGIN, node, LONG);
    RestartResponse again = ask(Verb.BEGIN, node, TimeValue.timeValueMinutes(1));
    assertEquals(1, again.awaited().size());
    assertTrue(again.awaited().get(0).leftMillis() <= 60_000);
  }

  public void testBadInputSaysWhatToDo() {
    internalCluster().startNode();
    String none =
        expectThrows(IllegalArgumentException.class, () -> ask(Verb.BEGIN, "nobody", LONG))
            .getMessage();
    assertTrue(none, none.contains("[node] [nobody] is no node of this cluster"));
    String not =
        expectThrows(IllegalArgumentException.class, () -> ask(Verb.END, "nobody", LONG))
            .getMessage();
    assertTrue(not, not.contains("[node] [nobody] is not awaited"));
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            Settings.builder().put("millrace.cluster.fast_restart.enabled", false))
        .get();
    String off =
        expectThrows(
                IllegalArgumentException.class,
                () -> ask(Verb.BEGIN, internalCluster().getClusterManagerName(), LONG))
            .getMessage();
    assertTrue(off, off.contains("[millrace.cluster.fast_restart.enabled] is false"));
  }
}
