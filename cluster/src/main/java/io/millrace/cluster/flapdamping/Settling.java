package io.millrace.cluster.flapdamping;

import io.millrace.cluster.fastrestart.AwaitedNodes;
import io.millrace.kernel.settings.Switch;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Notes who joins and leaves; on the cluster manager, lets shards be placed anew when a node has
 * stayed.
 */
final class Settling implements ClusterStateListener {
  private static final Logger LOG = LogManager.getLogger(Settling.class);

  private final Switch enabled;
  private final JoinHistory history;
  private @Nullable Services services;
  private Scheduler.@Nullable ScheduledCancellable next;

  private record Services(ClusterService cluster, ThreadPool threads) {}

  Settling(Switch enabled, JoinHistory history) {
    this.enabled = enabled;
    this.history = history;
  }

  synchronized void start(ClusterService cluster, ThreadPool threads) {
    services = new Services(cluster, threads);
    // what applies a state runs before the allocation that follows it
    cluster.addHighPriorityApplier(event -> note(event));
    cluster.addListener(this);
    enabled.follow(on -> look());
  }

  synchronized void stop() {
    if (next != null) {
      next.cancel();
    }
    services = null;
  }

  /**
   * A node that had no cluster manager sees its whole cluster join; nobody flapped then. Nor does a
   * node whose restart was announced.
   */
  private void note(ClusterChangedEvent event) {
    event.nodesDelta().removedNodes().forEach(node -> history.departed(node.getId()));
    if (event.previousState().nodes().getClusterManagerNodeId() == null) {
      return;
    }
    for (DiscoveryNode node : event.nodesDelta().addedNodes()) {
      if (node.isDataNode() && !AwaitedNodes.announced(event.state(), node.getId())) {
        history.joined(node.getId(), node.getName());
        TimeValue left = history.left(node.getId());
        if (left.nanos() > 0 && enabled.on() && event.localNodeClusterManager()) {
          LOG.warn(
              "[{}] has joined {} times; it gets shards when it has stayed for {}",
              node.getName(),
              history.count(node.getId()),
              left);
        }
      }
    }
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    if (event.nodesChanged() || !event.previousState().nodes().isLocalNodeElectedClusterManager()) {
      look();
    }
  }

  /** Waits for the node that has stayed first. */
  private synchronized void look() {
    if (next != null) {
      next.cancel();
      next = null;
    }
    if (services == null || !enabled.on()) {
      return;
    }
    history.next().ifPresent(this::rerouteIn);
  }

  private synchronized void rerouteIn(long nanos) {
    if (services != null) {
      TimeValue pause = TimeValue.timeValueMillis(nanos / 1_000_000 + 50);
      next = services.threads().schedule(this::reroute, pause, ThreadPool.Names.GENERIC);
    }
  }

  private void reroute() {
    Services at;
    synchronized (this) {
      at = services;
    }
    if (at == null) {
      return;
    }
    if (at.cluster().state().nodes().isLocalNodeElectedClusterManager()) {
      at.cluster()
          .getRerouteService()
          .reroute(
              "a node that came back has stayed",
              Priority.NORMAL,
              ActionListener.wrap(
                  state -> {}, e -> LOG.debug("shards were not placed anew: {}", e.toString())));
    }
    look();
  }
}
