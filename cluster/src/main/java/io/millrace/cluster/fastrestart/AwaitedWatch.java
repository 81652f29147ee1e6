package io.millrace.cluster.fastrestart;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/** On the cluster manager: has shards placed anew when a node is no longer awaited. */
final class AwaitedWatch implements ClusterStateListener {
  private static final Logger LOG = LogManager.getLogger(AwaitedWatch.class);

  private final AwaitedNodes awaited;
  private @Nullable Services services;
  private Scheduler.@Nullable ScheduledCancellable next;

  private record Services(ClusterService cluster, ThreadPool threads) {}

  AwaitedWatch(AwaitedNodes awaited) {
    this.awaited = awaited;
  }

  synchronized void start(ClusterService cluster, ThreadPool threads) {
    services = new Services(cluster, threads);
    cluster.addListener(this);
  }

  synchronized void stop() {
    if (next != null) {
      next.cancel();
    }
    services = null;
  }

  /** The state that this node has applied; null before it has started and after its end. */
  synchronized @Nullable ClusterState state() {
    return services == null ? null : services.cluster().state();
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    boolean elected =
        event.localNodeClusterManager()
            && !event.previousState().nodes().isLocalNodeElectedClusterManager();
    if (elected || event.metadataChanged()) {
      look();
    }
  }

  /** Waits for the first end of a waiting. */
  private synchronized void look() {
    if (next != null) {
      next.cancel();
      next = null;
    }
    if (services == null) {
      return;
    }
    awaited.now().values().stream().min(Long::compare).ifPresent(this::endAt);
  }

  private synchronized void endAt(long until) {
    if (services != null) {
      TimeValue pause = TimeValue.timeValueMillis(Math.max(0, until - awaited.time()) + 50);
      next = services.threads().schedule(this::ended, pause, ThreadPool.Names.GENERIC);
    }
  }

  private void ended() {
    Services at;
    synchronized (this) {
      at = services;
    }
    if (at == null) {
      return;
    }
    if (at.cluster().state().nodes().isLocalNodeElectedClusterManager()) {
      LOG.info("a node that was announced to restart is no longer awaited");
      at.cluster()
          .getRerouteService()
          .reroute(
              "a restarting node is no longer awaited",
              Priority.HIGH,
              ActionListener.wrap(
                  state -> {}, e -> LOG.debug("shards were not placed anew: {}", e.toString())));
    }
    look();
  }
}
