package io.millrace.cluster.balance;

import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.allocator.BalancedShardsAllocator;
import org.opensearch.cluster.routing.allocation.allocator.ShardsAllocator;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Rates are measured on the nodes, reach the cluster manager, and move shards. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 0,
    supportsDedicatedMasters = false,
    numClientNodes = 0)
public class BalanceNodeTests extends OpenSearchIntegTestCase {
  private static final String PREFIX = "millrace.cluster.balance.";
  private static final Settings ONE_SHARD =
      Settings.builder()
          .put("index.number_of_shards", 1)
          .put("index.number_of_replicas", 0)
          .build();

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(BalanceHost.class);
  }

  private static void set(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  private static Settings.Builder quick() {
    return Settings.builder()
        .put(PREFIX + "interval", "1s")
        .put(PREFIX + "window", "5s")
        .put(PREFIX + "quiet_time", "1h")
        .put(PREFIX + "least_write_load", "0.0001");
  }

  private static Map<String, Object> report() {
    return client()
        .execute(
            NodeReportAction.INSTANCE,
            new NodeReportRequest(BalanceReport.SUBJECT, "_cluster_manager"))
        .actionGet()
        .getNodes()
        .get(0)
        .report();
  }

  private static void write(String index, int documents) {
    BulkRequestBuilder bulk = client().prepareBulk();
    for (int i = 0; i < documents; i++) {
      bulk.add(client().prepareIndex(index).setSource("message", "line " + i, "n", i));
    }
    assertFalse(bulk.get().hasFailures());
  }

  private String nodeOf(String index) {
    ClusterState state = clusterService().state();
    ShardRouting shard = state.routingTable().index(index).shard(0).primaryShard();
    return state.nodes().get(shard.currentNodeId()).getName();
  }

  private static ShardsAllocator allocator() {
    return internalCluster()
        .getInstance(ShardsAllocator.class, internalCluster().getClusterManagerName());
  }

  public void testShardsThatWriteLeaveTheNodeThatHasAllOfThem() throws Exception {
    String first = internalCluster().startNode();
    assertTrue(allocator() instanceof LoadAllocator);
    set(quick());
    for (String index : List.of("a", "b", "c", "d")) {
      createIndex(index, ONE_SHARD);
    }
    ensureGreen();
    set(Settings.builder().put("cluster.routing.rebalance.enable", "none"));
    String second = internalCluster().startNode();
    ensureStableCluster(2);
    assertBusy(
        () -> {
          for (String index : List.of("a", "b", "c", "d")) {
            write(index, 200);
          }
          assertEquals(4, report().get("indices_with_known_rates"));
        },
        120,
        TimeUnit.SECONDS);
    assertEquals(first, nodeOf("a"));
    set(Settings.builder().putNull("cluster.routing.rebalance.enable"));
    assertBusy(
        () -> {
          for (String index : List.of("a", "b", "c", "d")) {
            write(index, 200);
          }
          List<?> moves = (List<?>) report().get(BalanceReport.MOVES);
          assertFalse(moves.isEmpty());
          Map<?, ?> move = (Map<?, ?>) moves.get(moves.size() - 1);
          assertEquals(second, ((Map<?, ?>) move.get("to")).get("node"));
          assertEquals(second, nodeOf((String) move.get("index")));
        },
        120,
        TimeUnit.SECONDS);
    waitForRelocation();
    Map<?, ?> move = (Map<?, ?>) ((List<?>) report().get(BalanceReport.MOVES)).get(0);
    String why =
        Strings.toString(
            MediaTypeRegistry.JSON,
            client()
                .admin()
                .cluster()
                .prepareAllocationExplain()
                .setIndex((String) move.get("index"))
                .setShard(0)
                .setPrimary(true)
                .get()
                .getExplanation());
    assertTrue(why, why.contains("millrace.cluster.balance.quiet_time"));
  }

  public void testADryRunOnlyListsMoves() throws Exception {
    internalCluster().startNode();
    set(quick().put(PREFIX + "dry_run", true));
    for (String index : List.of("a", "b", "c", "d")) {
      createIndex(index, ONE_SHARD);
    }
    ensureGreen();
    set(Settings.builder().put("cluster.routing.allocation.balance.threshold", 100));
    internalCluster().startNode();
    ensureStableCluster(2);
    assertBusy(
        () -> {
          for (String index : List.of("a", "b", "c", "d")) {
            write(index, 200);
          }
          client().admin().cluster().prepareReroute().get();
          List<?> moves = (List<?>) report().get(BalanceReport.MOVES);
          assertFalse(moves.isEmpty());
          assertEquals(Boolean.TRUE, ((Map<?, ?>) moves.get(0)).get("dry_run"));
        },
        120,
        TimeUnit.SECONDS);
    assertEquals(1, List.of("a", "b", "c", "d").stream().map(this::nodeOf).distinct().count());
  }

  public void testOffLeavesStock() throws Exception {
    internalCluster().startNode();
    set(quick().put(PREFIX + "enabled", false));
    internalCluster().startNode();
    ensureStableCluster(2);
    createIndex("a", ONE_SHARD);
    ensureGreen();
    write("a", 100);
    assertEquals(Boolean.FALSE, report().get("enabled"));
    assertEquals(0, report().get("indices_with_known_rates"));
  }

  public void testTheNodesConfigurationSelectsStocksAllocator() throws Exception {
    internalCluster()
        .startNode(Settings.builder().put("cluster.routing.allocation.type", "balanced").build());
    assertSame(BalancedShardsAllocator.class, allocator().getClass());
    createIndex("a", ONE_SHARD);
    ensureGreen();
    assertEquals("another", report().get("allocator"));
    assertEquals(Boolean.FALSE, report().get("enabled"));
  }
}
