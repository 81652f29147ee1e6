package io.millrace.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.admin.indices.create.CreateIndexResponse;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.coordination.CoordinationState.PersistedState;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.gateway.GatewayMetaState;
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
}
