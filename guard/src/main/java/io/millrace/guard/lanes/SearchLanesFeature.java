package io.millrace.guard.lanes;

import io.millrace.guard.heap.LiveHeap;
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
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.threadpool.ThreadPool;

/**
 * Light searches start at once; heavy ones share a few places, in a line that is fair between
 * clients.
 *
 * <p>Why: stock's pool has a thread and a half for each processor, so that four script loops hold
 * every search of a node with two processors for minutes.
 */
public final class SearchLanesFeature implements Feature {
  /** Its id. */
  public static final String ID = "guard.search-lanes";

  private static final Logger LOG = LogManager.getLogger(SearchLanesFeature.class);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final LaneLimits limits = new LaneLimits();
  private final LiveHeap heap = new LiveHeap();
  private final History history = new History();
  private final Lanes lanes = new Lanes(limits, history, heap, this::inGeneric);
  private final LaneWatch watch = new LaneWatch(lanes);
  private volatile @Nullable ThreadContext context;
  private volatile @Nullable Executor generic;

  /** For tests. */
  Lanes lanes() {
    return lanes;
  }

  /** The dispatcher of an HTTP server, which notes who sent each request. */
  public HttpServerTransport.Dispatcher noting(HttpServerTransport.Dispatcher dispatcher) {
    return new Client.Noting(dispatcher, enabled::on);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Light searches start at once; heavy ones run a few at a time, in a line that is fair "
        + "between clients";
  }

  @Override
  public List<String> sources() {
    return List.of("search-lanes");
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
        Metric.gauge(
            "searches",
            "requests",
            "Phases of searches on shards of this node",
            lanes.turns()::size),
        Metric.gauge("waiting", "requests", "Those that wait for their turn", lanes::waiting),
        Metric.gauge("paused", "requests", "Heavy ones that are paused", lanes::pausedNow),
        Metric.gauge("medium", "requests", "Medium ones that have a place", lanes::mediumNow),
        Metric.gauge("heavy", "requests", "Heavy ones that have a place", lanes::heavyNow),
        Metric.gauge("shapes", "shapes", "Shapes of searches whose use is known", history::size),
        Metric.counter(
            "waited", "requests", "Searches that did not start at once", lanes.waited::sum),
        Metric.counter(
            "found_heavy",
            "requests",
            "Searches that were found to be heavy while they ran",
            lanes.found::sum),
        Metric.counter(
            "rests",
            "rests",
            "Times that a medium or heavy search rested because others wanted the processors",
            lanes.way().rests::sum),
        Metric.counter(
            "rested_time",
            "ms",
            "How long such searches rested",
            () -> TimeUnit.NANOSECONDS.toMillis(lanes.way().restedNanos.sum())),
        Metric.counter(
                "refused",
                "requests",
                "Searches that got 429: they waited too long, or too many waited",
                lanes.refused::sum)
            .tagged(Tag.STOPPED_REQUESTS));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.transport(
        TransportOrder.TURN,
        new LaneInterceptor(enabled::on, lanes, () -> Objects.requireNonNull(context)));
    LaneListener listener = new LaneListener(lanes);
    hooks.searchListener(SearchOrder.ACCOUNT, listener);
    hooks.actionFilter(new FanFilter(lanes::fan));
    hooks.actionFilter(
        new TemplateFilter(enabled::on, () -> Objects.requireNonNull(generic, "started")));
    hooks.fetchSubPhase(fetch -> new FetchCheckPoint(listener::ofThread));
    hooks.report("searches", new SearchesReport(lanes));
    hooks.rest(new RestCancelSearchAction());
  }

  @Override
  public void start(NodeServices services) {
    context = services.threadPool().getThreadContext();
    generic = services.threadPool().generic();
    heap.start();
    SearchPool pool = new SearchPool(services.threadPool(), services.environment().settings());
    int processors = OpenSearchExecutors.allocatedProcessors(services.environment().settings());
    Executor writes = services.threadPool().executor(ThreadPool.Names.WRITE);
    lanes
        .way()
        .open(
            processors,
            () -> writes instanceof ThreadPoolExecutor writers ? writers.getActiveCount() : 0);
    Knob.follow(
        () -> {
          boolean on = enabled.on();
          lanes.open(on, processors, pool.widen(on ? limits.threads.value() : 0));
        },
        enabled.knob(),
        limits.threads,
        limits.mediumAtOnce,
        limits.heavyAtOnce);
    watch.start(note(services));
  }

  private void inGeneric(Runnable work) {
    try {
      Objects.requireNonNull(generic, "started").execute(work);
    } catch (OpenSearchRejectedExecutionException e) {
      work.run(); // the node stops; its searches are answered all the same
    }
  }

  private static @Nullable HeaviestNote note(NodeServices services) {
    try {
      return HeaviestNote.in(services.environment().logsDir());
    } catch (IOException e) {
      LOG.warn(
          "the heaviest search will not be noted for whoever restarts the node: {}", e.toString());
      return null;
    }
  }

  @Override
  public void stop() {
    watch.stop();
    heap.stop();
  }
}
