package io.millrace.cluster.managerhandover;

import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * The elected cluster manager looks whether a preferred node could have the role, some time after
 * nodes have changed. Elections themselves stay stock's: a preference must never keep a cluster
 * from having a cluster manager.
 */
final class Preference implements ClusterStateListener {
  private static final Logger LOG = LogManager.getLogger(Preference.class);

  private final Switch enabled;
  private final Knob<List<String>> preferred;
  private final Knob<TimeValue> after;
  private @Nullable Services services;
  private Scheduler.@Nullable ScheduledCancellable next;

  private record Services(Client client, ClusterService cluster, ThreadPool threads) {}

  Preference(Switch enabled, Knob<List<String>> preferred, Knob<TimeValue> after) {
    this.enabled = enabled;
    this.preferred = preferred;
    this.after = after;
  }

  synchronized void start(Client client, ClusterService cluster, ThreadPool threads) {
    services = new Services(client, cluster, threads);
    cluster.addListener(this);
    Knob.follow(this::lookLater, enabled.knob(), preferred, after);
  }

  synchronized void stop() {
    if (next != null) {
      next.cancel();
    }
    services = null;
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    ClusterState before = event.previousState();
    boolean elected = !before.nodes().isLocalNodeElectedClusterManager();
    // a node that joins may vote only later, when the voting configuration takes it in
    boolean voters =
        !event
            .state()
            .getLastCommittedConfiguration()
            .equals(before.getLastCommittedConfiguration());
    if (event.localNodeClusterManager() && (elected || voters || event.nodesChanged())) {
      lookLater();
    }
  }

  /** Once, so long after the last reason to look. */
  private synchronized void lookLater() {
    if (next != null) {
      next.cancel();
      next = null;
    }
    if (services != null && enabled.on() && !preferred.value().isEmpty()) {
      next = services.threads().schedule(this::look, after.value(), ThreadPool.Names.GENERIC);
    }
  }

  private void look() {
    Services at;
    synchronized (this) {
      at = services;
    }
    if (at == null || !enabled.on()) {
      return;
    }
    ClusterState state = at.cluster().state();
    DiscoveryNode best = Candidates.best(state, preferred.value());
    if (!state.nodes().isLocalNodeElectedClusterManager()
        || best == null
        || best.equals(state.nodes().getLocalNode())) {
      return;
    }
    at.client()
        .execute(
            HandoverAction.INSTANCE,
            new HandoverRequest(best.getId()),
            ActionListener.wrap(
                done -> LOG.info("[{}] has the role now, as preferred", best.getName()),
                e -> {
                  LOG.warn("[{}] is preferred and did not get the role: {}", best, e.toString());
                  lookLater();
                }));
  }
}
