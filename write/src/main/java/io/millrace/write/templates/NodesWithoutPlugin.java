package io.millrace.write.templates;

import io.millrace.kernel.NodeServices;
import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import io.millrace.kernel.report.NodeReports;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.action.ActionListener;
import org.opensearch.gateway.GatewayService;

/**
 * Which nodes of the cluster lack the plugin. The cluster state does not say it, so nodes are
 * asked: the elected cluster manager asks all of them whenever one comes or goes, and every other
 * node asks a manager that is new, because a manager without the plugin asks nobody.
 *
 * <p>Of nodes that may be elected it says so in the log and by an alarm: once such a node is
 * manager, it refuses mappings and settings that only the plugin knows, and with them every
 * document that brings a new field into an index that has one.
 */
final class NodesWithoutPlugin implements ClusterStateListener {
  private static final Logger LOG = LogManager.getLogger(NodesWithoutPlugin.class);

  private final String subject;
  private final Runnable changed;
  private volatile @Nullable NodeServices services;

  /** Null while nothing is known. */
  private volatile @Nullable Answer known;

  /**
   * @param asked ephemeral ids of the nodes that were asked
   * @param complete whether each of them answered that it has the plugin
   * @param without names of those that have not
   * @param managers those of them that may be elected cluster manager
   */
  private record Answer(
      Set<String> asked, boolean complete, Set<String> without, Set<String> managers) {}

  /**
   * @param subject the report by which nodes with the plugin are known
   * @param changed called when there is an answer
   */
  NodesWithoutPlugin(String subject, Runnable changed) {
    this.subject = subject;
    this.changed = changed;
  }

  void start(NodeServices node) {
    services = node;
    node.clusterService().addListener(this);
  }

  void stop() {
    NodeServices node = services;
    if (node != null) {
      node.clusterService().removeListener(this);
    }
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    ClusterState state = event.state();
    Set<String> concerned = concerned(state);
    if (concerned.isEmpty()) {
      known = null;
      return;
    }
    Answer before = known;
    if (before == null || !before.asked.equals(concerned)) {
      // a node that is new is no reason to forget one that is known to lack it
      known =
          new Answer(
              concerned,
              false,
              before == null ? Set.of() : before.without,
              before == null ? Set.of() : before.managers);
      ask(concerned, state);
    }
  }

  /** Ephemeral ids of the nodes that this one asks in this state. */
  private static Set<String> concerned(ClusterState state) {
    if (state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK)) {
      return Set.of();
    }
    if (state.nodes().isLocalNodeElectedClusterManager()) {
      return ids(state, node -> true);
    }
    DiscoveryNode manager = state.nodes().getClusterManagerNode();
    return manager == null ? Set.of() : Set.of(manager.getEphemeralId());
  }

  private static Set<String> ids(ClusterState state, Predicate<DiscoveryNode> wanted) {
    Set<String> ids = new HashSet<>();
    for (DiscoveryNode node : state.nodes()) {
      if (wanted.test(node)) {
        ids.add(node.getEphemeralId());
      }
    }
    return ids;
  }

  private void ask(Set<String> asked, ClusterState state) {
    NodeServices node = Objects.requireNonNull(services);
    String[] ids =
        state.nodes().getNodes().values().stream()
            .filter(one -> asked.contains(one.getEphemeralId()))
            .map(DiscoveryNode::getId)
            .toArray(String[]::new);
    node.runAsNode(() ->
        node.client()
            .execute(
                NodeReportAction.INSTANCE,
                new NodeReportRequest(subject, ids),
                ActionListener.wrap(
                    reports -> take(asked, reports),
                    failure -> LOG.warn("nodes could not be asked for their plugin", failure))));
  }

  private void take(Set<String> asked, NodeReports reports) {
    Set<String> without = new TreeSet<>();
    Set<String> managers = new TreeSet<>();
    for (DiscoveryNode absent : reports.absent()) {
      without.add(absent.getName());
      if (absent.isClusterManagerNode()) {
        managers.add(absent.getName());
      }
    }
    Answer before = known;
    if (before == null || !before.asked.equals(asked)) {
      return; // nodes have changed since, and were asked again
    }
    known =
        new Answer(
            asked,
            without.isEmpty() && reports.getNodes().size() >= asked.size(),
            without,
            managers);
    if (!managers.isEmpty() && !managers.equals(before.managers)) {
      LOG.warn(
          "nodes {} lack the plugin [millrace] and may be elected cluster manager: while one is,"
              + " documents with new fields are refused in indices whose mapping has a type of the"
              + " plugin. Install the plugin there, or take the role cluster_manager away",
          managers);
    } else if (!without.isEmpty() && !without.equals(before.without)) {
      LOG.info("nodes {} lack the plugin [millrace]", without);
    }
    changed.run();
  }

  /** Whether every node of this state answered that it has the plugin. */
  boolean none(ClusterState state) {
    Answer now = known;
    return now != null && now.complete && now.asked.equals(ids(state, node -> true));
  }

  /** Whether a node of this state answered that it lacks the plugin. */
  boolean some(ClusterState state) {
    Answer now = known;
    return now != null && !now.without.isEmpty() && now.asked.equals(ids(state, node -> true));
  }

  /** Whether this node knows of one without the plugin. */
  boolean some() {
    Answer now = known;
    return now != null && !now.without.isEmpty();
  }

  /** How many of them may be elected cluster manager, or are. */
  long managers() {
    Answer now = known;
    return now == null ? 0 : now.managers.size();
  }
}
