package io.millrace.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.admin.indices.create.CreateIndexResponse;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.coordination.CoordinationState.PersistedState;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.gateway.GatewayMetaState;
import org.opensearch.node.ResponseCollectorService;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** What OpenSearch keeps by itself, so that nothing here has to: a change of it would show. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 0,
    supportsDedicatedMasters = false,
    numClientNodes = 0)
public class StockNodeTests extends OpenSearchIntegTestCase {

  /** A task of the cluster manager that notes its turn, and may hold up all others. */
  private static ClusterStateUpdateTask task(Priority priority, Runnable turn) {
    return new ClusterStateUpdateTask(priority) {
      @Override
      public ClusterState execute(ClusterState now) {
        turn.run();
        return now;
      }

      @Override
      public void onFailure(String source, Exception e) {
        throw new AssertionError(source, e);
      }
    };
  }

  private static Runnable wait(CountDownLatch entered, CountDownLatch released) {
    return () -> {
      entered.countDown();
      try {
        assertTrue(released.await(60, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    };
  }

  public void testAStartedShardComesBeforeOtherTasksOfTheClusterManager() throws Exception {
    String manager = internalCluster().startClusterManagerOnlyNode();
    String data = internalCluster().startDataOnlyNode();
    ClusterService managing = internalCluster().getInstance(ClusterService.class, manager);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    List<String> turns = new CopyOnWriteArrayList<>();
    // as soon as the data node sees the shard to start, the queue is held up and filled
    ClusterStateListener onShard =
        event -> {
          boolean starting =
              event.state().routingTable().hasIndex("a")
                  && event.state().routingTable().index("a").shard(0).primaryShard().initializing();
          if (starting && entered.getCount() == 1) {
            managing.submitStateUpdateTask(
                "held", task(Priority.IMMEDIATE, wait(entered, released)));
            for (int i = 0; i < 20; i++) {
              managing.submitStateUpdateTask(
                  "later",
                  task(
                      Priority.HIGH,
                      () ->
                          turns.add(
                              managing
                                  .state()
                                  .routingTable()
                                  .index("a")
                                  .shard(0)
                                  .primaryShard()
                                  .state()
                                  .name())));
            }
          }
        };
    internalCluster().getInstance(ClusterService.class, data).addListener(onShard);
    ActionFuture<CreateIndexResponse> created =
        client(manager)
            .admin()
            .indices()
            .prepareCreate("a")
            .setSettings(Settings.builder().put("index.number_of_replicas", 0))
            .execute();
    assertTrue(entered.await(60, TimeUnit.SECONDS));
    assertBusy(
        () ->
            assertTrue(
                managing.getClusterManagerService().pendingTasks().stream()
                    .anyMatch(each ->
                        each.getSource().string().startsWith("shard-started")
                            && each.getPriority() == Priority.URGENT)),
        60,
        TimeUnit.SECONDS);
    released.countDown();
    assertTrue(created.actionGet().isShardsAcknowledged());
    assertBusy(() -> assertEquals(20, turns.size()), 60, TimeUnit.SECONDS);
    assertEquals(List.of("STARTED"), turns.stream().distinct().toList());
  }

  public void testOnlyNodesThatCanManageWriteMetadataBeforeTheyAnswer() throws Exception {
    String manager = internalCluster().startClusterManagerOnlyNode();
    String data = internalCluster().startDataOnlyNode();
    assertEquals("LucenePersistedState", persisted(manager).getClass().getSimpleName());
    assertEquals("AsyncLucenePersistedState", persisted(data).getClass().getSimpleName());
  }

  private static PersistedState persisted(String node) {
    return internalCluster().getInstance(GatewayMetaState.class, node).getPersistedState();
  }

  public void testASearchGoesToTheCopyWhoseNodeAnswersSooner() {
    internalCluster().startClusterManagerOnlyNode();
    List<String> data = internalCluster().startDataOnlyNodes(2);
    createIndex(
        "a",
        Settings.builder()
            .put("index.number_of_shards", 1)
            .put("index.number_of_replicas", 1)
            .build());
    ensureGreen("a");
    // on unless somebody says otherwise, which nodes of tests do now and then
    String adaptive = OperationRouting.USE_ADAPTIVE_REPLICA_SELECTION_SETTING.getKey();
    assertTrue(OperationRouting.USE_ADAPTIVE_REPLICA_SELECTION_SETTING.get(Settings.EMPTY));
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(adaptive, true))
        .get();
    for (int i = 0; i < 10; i++) {
      for (String quick : data) {
        assertEquals(quick, firstAsked(quick, data));
      }
    }
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().putNull(adaptive))
        .get();
  }

  /** The node of the copy that a search tries first, when every other node answers slowly. */
  private static String firstAsked(String quick, List<String> data) {
    ClusterService cluster = internalCluster().getInstance(ClusterService.class, data.get(0));
    ResponseCollectorService seen =
        new ResponseCollectorService(
            internalCluster().getInstance(ClusterService.class, data.get(0)));
    for (String node : data) {
      String id = internalCluster().clusterService(node).localNode().getId();
      long millis = node.equals(quick) ? 1 : 500;
      for (int i = 0; i < 50; i++) {
        seen.addNodeStatistics(
            id,
            node.equals(quick) ? 0 : 20,
            TimeUnit.MILLISECONDS.toNanos(millis),
            TimeUnit.MILLISECONDS.toNanos(millis));
      }
    }
    // each search brings the nodes that it does not ask nearer to the one that it asks
    ShardRouting first =
        cluster
            .operationRouting()
            .searchShards(
                cluster.state(), new String[] {"a"}, null, null, seen, new HashMap<>(), null)
            .get(0)
            .nextOrNull();
    return cluster.state().nodes().get(first.currentNodeId()).getName();
  }

  public void testTooManyTasksOfATypeAreHeldBackAtTheirNodesAndDoneLater() throws Exception {
    String manager = internalCluster().startClusterManagerOnlyNode();
    String data = internalCluster().startDataOnlyNode();
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            Settings.builder().put("cluster_manager.throttling.thresholds.create-index.value", 1))
        .get();
    ClusterService managing = internalCluster().getInstance(ClusterService.class, manager);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    managing.submitStateUpdateTask("held", task(Priority.IMMEDIATE, wait(entered, released)));
    assertTrue(entered.await(60, TimeUnit.SECONDS));
    List<ActionFuture<CreateIndexResponse>> created = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      created.add(
          client(data)
              .admin()
              .indices()
              .prepareCreate("a-" + i)
              .setSettings(Settings.builder().put("index.number_of_replicas", 0))
              .execute());
    }
    assertBusy(
        () -> assertTrue(managing.getClusterManagerService().numberOfThrottledPendingTasks() >= 3),
        60,
        TimeUnit.SECONDS);
    long waiting =
        managing.getClusterManagerService().pendingTasks().stream()
            .filter(each -> each.getSource().string().startsWith("create-index"))
            .count();
    assertEquals(1, waiting);
    released.countDown();
    for (ActionFuture<CreateIndexResponse> each : created) {
      assertTrue(each.actionGet().isAcknowledged());
    }
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            Settings.builder().putNull("cluster_manager.throttling.thresholds.create-index.value"))
        .get();
  }
}
