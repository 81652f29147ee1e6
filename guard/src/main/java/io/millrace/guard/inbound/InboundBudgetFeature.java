package io.millrace.guard.inbound;

import io.millrace.kernel.Feature;
import io.millrace.kernel.Hooks;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.function.Consumer;
import org.opensearch.threadpool.ThreadPool;

/**
 * Bodies wait for bytes of heap before they are read.
 *
 * <p>Stock charges a body to the {@code in_flight_requests} breaker once it is whole in memory
 * (RestController:408 at 3.8.0): 20 stalled uploads of 60 MB filled a heap of 1 GB while the
 * breaker stood at 0 (seed 003, smooth throttling at the network layer; the proof is the storm test
 * of module it).
 */
public final class InboundBudgetFeature implements Feature {
  /** The feature's id. */
  public static final String ID = "guard.inbound-budget";

  private final Switch enabled;
  private final InboundBudget budget;
  private final Consumer<Hooks> transport;
  private final InboundLimits limits = new InboundLimits();

  /**
   * The feature.
   *
   * @param enabled its switch, shared with the budget
   * @param transport declares the HTTP server that asks the budget
   */
  public InboundBudgetFeature(Switch enabled, InboundBudget budget, Consumer<Hooks> transport) {
    this.enabled = enabled;
    this.budget = budget;
    this.transport = transport;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Request bodies wait for bytes of heap before they are read; stalled senders are closed";
  }

  @Override
  public List<String> sources() {
    return List.of(
        "network-throttling", "smooth-throttling", "failed-requests", "no-rejected-bulks");
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
        Metric.gauge("small_used", "bytes", "Held by small bodies", budget.small()::used),
        Metric.gauge(
            "small_limit", "bytes", "What small bodies may hold", () -> limit(budget.small())),
        Metric.peak("small_peak", "bytes", "The most that small bodies held", budget.small()::peak),
        Metric.gauge("large_used", "bytes", "Held by large bodies", budget.large()::used),
        Metric.gauge(
            "large_limit", "bytes", "What large bodies may hold", () -> limit(budget.large())),
        Metric.peak("large_peak", "bytes", "The most that large bodies held", budget.large()::peak),
        Metric.gauge(
            "waiting",
            "requests",
            "Bodies that wait for bytes now",
            () -> budget.small().waiting() + budget.large().waiting()),
        Metric.peak(
                "longest_wait",
                "milliseconds",
                "For how long the body waits by now that has waited longest",
                () ->
                    Math.max(budget.small().longestWaitNanos(), budget.large().longestWaitNanos())
                        / 1_000_000)
            .tagged(Tag.UPLOAD_WAIT),
        Metric.counter("waits", "requests", "Bodies that had to wait", budget::waits),
        Metric.counter(
            "paced",
            "requests",
            "Bodies that waited for the queue of writes, though their bytes would have fit",
            () -> budget.small().paced() + budget.large().paced()),
        Metric.counter("wait_time", "nanoseconds", "Time that bodies waited", budget::waitNanos),
        Metric.counter(
                "refusals", "requests", "Requests that waited too long: 429", budget::refusals)
            .tagged(Tag.REFUSED_UPLOADS),
        Metric.counter(
                "slow_senders",
                "connections",
                "Connections closed because their body came too slowly",
                budget::slowSenders)
            .tagged(Tag.REFUSED_UPLOADS));
  }

  private static long limit(ByteBudget of) {
    long limit = of.limit();
    return limit == Long.MAX_VALUE ? 0 : limit;
  }

  @Override
  public void declare(Hooks hooks) {
    transport.accept(hooks);
  }

  @Override
  public void start(NodeServices services) {
    limits.smallBody.follow(value -> budget.smallBody(value.getBytes()));
    limits.maxWait.follow(budget::maxWait);
    limits.floorRate.follow(value -> budget.floorRate(value.getBytes()));
    limits.floorWindow.follow(budget::floorWindow);
    Knob.follow(
        () -> apply(services.threadPool()),
        enabled.knob(), // off lets go whoever waits
        limits.small,
        limits.large,
        limits.queuedWrites);
  }

  private void apply(ThreadPool threads) {
    boolean on = enabled.on();
    int queuedWrites = limits.queuedWrites.value();
    budget.small().limit(on ? limits.small.value().getBytes() : Long.MAX_VALUE);
    budget.large().limit(on ? limits.large.value().getBytes() : Long.MAX_VALUE);
    Pace pace = on && queuedWrites > 0 ? new WriteQueue(threads, queuedWrites) : Pace.NONE;
    budget.small().pace(pace);
    budget.large().pace(pace);
  }
}
