package io.millrace.cluster.managerhandover;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** The role goes where it is sent, and nowhere when the target cannot have it. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 0,
    supportsDedicatedMasters = false,
    numClientNodes = 0,
    autoManageMasterNodes = true)
public class ManagerHandoverNodeTests extends OpenSearchIntegTestCase {
  private static final String PREFIX = "millrace.cluster.manager_handover.";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(HandoverHost.class);
  }

  private static HandoverResponse handOver(String via, String to) {
    return client(via)
        .execute(
            HandoverAction.INSTANCE, new HandoverRequest(to, TimeValue.timeValueSeconds(60), 1))
        .actionGet(TimeValue.timeValueMinutes(3));
  }

  private static IllegalArgumentException refused(String via, String to) {
    return expectThrows(IllegalArgumentException.class, () -> handOver(via, to));
  }

  private static void set(String name, String value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(PREFIX + name, value))
        .get();
  }

  private void assertManager(String name) throws Exception {
    assertBusy(
        () -> {
          for (String node : internalCluster().getNodeNames()) {
            ClusterState state = clusterService(node).state();
            assertNotNull(state.nodes().getClusterManagerNode());
            assertEquals(name, state.nodes().getClusterManagerNode().getName());
          }
        },
        60,
        TimeUnit.SECONDS);
  }

  private static ClusterService clusterService(String node) {
    return internalCluster().getInstance(ClusterService.class, node);
  }

  public void testTheRoleGoesToEachNodeInTurnWhileWritesGoOn() throws Exception {
    List<String> nodes = internalCluster().startNodes(3);
    createIndex("a", Settings.builder().put("index.number_of_replicas", 1).build());
    ensureGreen("a");
    int acknowledged = 0;
    for (String target : nodes) {
      String before = internalCluster().getClusterManagerName();
      long term = clusterService(before).state().term();
      // asked at a node that has nothing to do with it, too
      HandoverResponse response = handOver(nodes.get(acknowledged % 3), target);
      assertEquals(before, response.from().getName());
      assertEquals(target, response.to().getName());
      assertTrue(
          "term " + response.term() + " after " + term,
          before.equals(target) ? response.attempts() == 0 : response.term() > term);
      assertManager(target);
      for (String via : nodes) {
        client(via).prepareIndex("a").setSource("n", 1).get();
        acknowledged++;
      }
    }
    refresh("a");
    assertEquals(acknowledged, client().prepareSearch("a").get().getHits().getTotalHits().value());
  }

  public void testWhatCannotHaveTheRoleIsRefusedByName() throws Exception {
    List<String> nodes = internalCluster().startNodes(1);
    String data = internalCluster().startDataOnlyNode();
    String manager = nodes.get(0);
    String none = refused(data, "nobody").getMessage();
    assertTrue(none, none.contains("[to] [nobody] is no node of this cluster"));
    assertTrue(none, none.contains(manager));
    String noRole = refused(manager, data).getMessage();
    assertTrue(noRole, noRole.contains("[to] [" + data + "] has not the role cluster_manager"));
    set("enabled", "false");
    String off = refused(manager, manager).getMessage();
    assertTrue(off, off.contains("[" + PREFIX + "enabled] is false"));
    assertManager(manager);
  }

  public void testAPreferredNodeGetsTheRoleAndGetsItBack() throws Exception {
    List<String> nodes = internalCluster().startNodes(3);
    String other =
        nodes.stream()
            .filter(node -> !node.equals(internalCluster().getClusterManagerName()))
            .findFirst()
            .orElseThrow();
    set("preferred_after", "200ms");
    set("preferred", "gone-long-ago," + other);
    assertManager(other);
    internalCluster().restartNode(other);
    assertManager(other);
  }
}
