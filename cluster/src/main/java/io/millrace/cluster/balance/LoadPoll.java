package io.millrace.cluster.balance;

import io.millrace.kernel.NodeServices;
import io.millrace.kernel.report.NodeReport;
import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import io.millrace.kernel.report.NodeReports;
import io.millrace.kernel.settings.Switch;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.LocalNodeClusterManagerListener;
import org.opensearch.common.Priority;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.gateway.GatewayService;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * On the elected cluster manager: asks the data nodes for their shards' rates, and for a round of
 * allocation when the node that writes most is too far above the average.
 */
final class LoadPoll implements LocalNodeClusterManagerListener {
  private static final Logger LOG = LogManager.getLogger(LoadPoll.class);

  private final Switch enabled;
  private final Balancing balancing;
  private @Nullable NodeServices services;
  private Scheduler.@Nullable ScheduledCancellable next;
  private boolean elected;
  private long lastNanos;
  private @Nullable Long askedNanos;
  private long movesWhenAsked;

  LoadPoll(Switch enabled, Balancing balancing) {
    this.enabled = enabled;
    this.balancing = balancing;
  }

  synchronized void start(NodeServices node) {
    services = node;
    node.clusterService().addListener(balancing.recent());
    node.clusterService().addLocalNodeClusterManagerListener(this);
    enabled.follow(on -> restart());
    balancing.limits().followInterval(this::restart);
  }

  synchronized void stop() {
    cancel();
    services = null;
  }

  @Override
  public synchronized void onClusterManager() {
    elected = true;
    restart();
  }

  @Override
  public synchronized void offClusterManager() {
    elected = false;
    balancing.book().clear();
    cancel();
  }

  private synchronized void restart() {
    if (!balancing.watches()) {
      balancing.book().clear();
    }
    later();
  }

  private void cancel() {
    if (next != null) {
      next.cancel();
      next = null;
    }
  }

  private synchronized void later() {
    cancel(); // a poll that was on its way when another one was planned
    if (services != null && elected && balancing.watches()) {
      next =
          services
              .threadPool()
              .schedule(this::poll, balancing.limits().interval(), ThreadPool.Names.GENERIC);
    }
  }

  private void poll() {
    NodeServices node;
    synchronized (this) {
      node = services;
      if (node == null || !elected || !balancing.watches()) {
        return;
      }
    }
    NodeReportRequest request = new NodeReportRequest(WriteRates.SUBJECT, "data:true");
    request.timeout(TimeValue.timeValueSeconds(30));
    node.runAsNode(() ->
        node.client()
            .execute(
                NodeReportAction.INSTANCE,
                request,
                ActionListener.runAfter(
                    ActionListener.wrap(
                        reports -> node.threadPool().generic().execute(() -> take(reports)),
                        e -> LOG.debug("the data nodes could not be asked: {}", e.toString())),
                    this::later)));
  }

  private void take(NodeReports reports) {
    NodeServices node;
    synchronized (this) {
      node = services;
      if (node == null || !elected) {
        return;
      }
    }
    if (isBlind(reports)) {
      balancing.book().clear();
      return;
    }
    LoadBook.Poll poll = new LoadBook.Poll(balancing.limits().window().nanos() / 1e9);
    for (NodeReport report : reports.getNodes()) {
      poll.add(report.report());
    }
    ClusterState state = node.clusterService().state();
    double kept = reports.failures().isEmpty() ? kept() : 1;
    balancing.book().take(poll, state.metadata(), kept);
    if (balancing.balances()
        && !state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK)) {
      rerouteIfSkewed(node, state);
    }
  }

  /**
   * Whether a node cannot tell its rates, because it has no plugin or another version. It would
   * look idle whatever it writes, and get every shard that does; so nobody's rates count then.
   */
  static boolean isBlind(NodeReports reports) {
    return !reports.absent().isEmpty()
        || reports.failures().stream()
            .anyMatch(failure ->
                ExceptionsHelper.unwrap(failure, ResourceNotFoundException.class) != null);
  }

  private synchronized double kept() {
    long now = System.nanoTime();
    double window = balancing.limits().window().nanos();
    double kept = lastNanos == 0 ? 1 : Math.exp(-(now - lastNanos) / window);
    lastNanos = now;
    return kept;
  }

  private void rerouteIfSkewed(NodeServices node, ClusterState state) {
    double skew = balancing.load(state).writeSkew();
    if (skew <= 1 + balancing.limits().tolerance() || !askAgain()) {
      return;
    }
    node.clusterService()
        .getRerouteService()
        .reroute(
            "a node writes much more than the others",
            Priority.NORMAL,
            ActionListener.wrap(
                done -> {}, e -> LOG.debug("shards were not moved: {}", e.toString())));
  }

  /** Every time while it helps, and else once in a quiet time. */
  private synchronized boolean askAgain() {
    long now = System.nanoTime();
    long moves = balancing.log().made();
    boolean helped = moves != movesWhenAsked;
    if (askedNanos != null
        && !helped
        && now - askedNanos < balancing.limits().quietTime().nanos()) {
      return false;
    }
    askedNanos = now;
    movesWhenAsked = moves;
    return true;
  }
}
