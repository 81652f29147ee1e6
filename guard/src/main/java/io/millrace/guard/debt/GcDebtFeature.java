package io.millrace.guard.debt;

import io.millrace.guard.heap.HeapView;
import io.millrace.guard.heap.LiveHeap;
import io.millrace.guard.transport.Refusals;
import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.SearchOrder;
import io.millrace.kernel.slot.TransportOrder;
import java.io.IOException;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.transport.TransportInterceptor;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestHandler;

/**
 * A node whose heap stays full refuses heavy work, then cancels searches, then leaves: half an hour
 * of full collections serves nobody, and a restart takes seconds.
 *
 * <p>Why: a stock node with stalled uploads went on through 1,267 full collections in ten minutes
 * and answered nothing. Promise: {@code gc-debt}.
 */
public final class GcDebtFeature implements Feature {
  static final String ID = "guard.gc-debt";
  private static final Logger LOG = LogManager.getLogger(GcDebtFeature.class);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final DebtLimits limits = new DebtLimits();
  private final HeapView heap;
  private final @Nullable Runnable leave;
  private final RunningSearches searches = new RunningSearches();
  private final DebtFilter filter = new DebtFilter(enabled, limits.shedKey());
  private final Refusals refusals = new Refusals();
  private final DebtCollector collector;

  /** For the heap of this process. */
  public GcDebtFeature() {
    this(new LiveHeap(), null);
  }

  /**
   * For a heap that is told what to look like.
   *
   * @param leave instead of ending the process; null ends it
   */
  GcDebtFeature(HeapView heap, @Nullable Runnable leave) {
    this.heap = heap;
    this.leave = leave;
    this.collector = new DebtCollector(enabled, limits, heap, searches, filter, refusals);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "A node whose heap stays full refuses heavy requests, then cancels the largest "
        + "search, then ends itself so that its supervisor restarts it";
  }

  @Override
  public List<String> sources() {
    return List.of("gc-debt");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return limits.knobs();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.peak(
            "debt",
            "milliseconds",
            "The debt: time spent collecting while the heap was full",
            collector::millis),
        Metric.peak(
            "stage",
            "stages",
            "0: no debt, 1: refuses heavy requests, 2: cancels searches, 3: leaves",
            collector::stage),
        Metric.gauge("searches", "requests", "Searches that run on this node", searches::size),
        Metric.counter(
                "shed",
                "requests",
                "Heavy requests refused because of the debt",
                filter.refused::sum)
            .tagged(Tag.STOPPED_REQUESTS),
        Metric.counter(
                "cancelled",
                "requests",
                "Searches cancelled because of the debt",
                collector.cancelled::sum)
            .tagged(Tag.STOPPED_REQUESTS));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.actionFilter(filter);
    hooks.searchListener(SearchOrder.ACCOUNT, searches);
    hooks.transport(
        TransportOrder.LIMIT,
        new TransportInterceptor() {
          @Override
          public <T extends TransportRequest> TransportRequestHandler<T> interceptHandler(
              String action,
              String executor,
              boolean forceExecution,
              TransportRequestHandler<T> handler) {
            return refusals.telling(action, handler, enabled);
          }
        });
  }

  @Override
  public void start(NodeServices services) {
    heap.start();
    collector.start(leave == null ? departure(services)::leave : leave);
  }

  private static ProcessEnd departure(NodeServices services) {
    try {
      return ProcessEnd.prepare(
          services.environment().logsDir(),
          "guard.gc-debt: the heap stayed full and the node only collected; it left by itself\n");
    } catch (IOException e) {
      LOG.warn(
          "the file for the reason cannot be made, so the node would leave without one: {}",
          e.toString());
      return ProcessEnd.silent();
    }
  }

  @Override
  public void stop() {
    collector.stop();
    heap.stop();
  }
}
