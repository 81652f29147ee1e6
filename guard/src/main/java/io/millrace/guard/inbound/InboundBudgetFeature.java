package io.millrace.guard.inbound;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.opensearch.threadpool.ThreadPool;

/**
 * Bodies wait for bytes of heap before they are read.
 *
 * <p>Stock charges a body to the {@code in_flight_requests} breaker once it is whole in memory
 * (RestController#dispatchRequest at 3.8.0): 20 stalled uploads of 60 MB filled a heap of 1 GB
 * while the breaker stood at 0 (StormComparisonIT of module it repeats it). Promises: {@code
 * network-throttling}, {@code smooth-throttling}.
 */
public final class InboundBudgetFeature implements Feature {
  /** The feature's id. */
  public static final String ID = "guard.inbound-budget";

  private final Switch enabled;
  private final InboundBudget budget;
  private final IntSupplier unread;
  private final Consumer<Hooks> server;
  private final InboundLimits limits = new InboundLimits();

  /**
   * The feature.
   *
   * @param enabled its switch, shared with the budget
   * @param unread bulks that nobody has read yet
   * @param server declares the HTTP server that asks the budget
   */
  public InboundBudgetFeature(
      Switch enabled, InboundBudget budget, IntSupplier unread, Consumer<Hooks> server) {
    this.enabled = enabled;
    this.budget = budget;
    this.unread = unread;
    this.server = server;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Request bodies wait for a share of the heap before they are read; senders that "
        + "stall are disconnected";
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
        Metric.gauge("small_used", "bytes", "Memory that small bodies hold", budget.small()::used),
        Metric.gauge(
            "small_limit",
            "bytes",
            "Memory that small bodies may hold",
            () -> limit(budget.small())),
        Metric.peak(
            "small_peak", "bytes", "The most memory that small bodies held", budget.small()::peak),
        Metric.gauge("large_used", "bytes", "Memory that large bodies hold", budget.large()::used),
        Metric.gauge(
            "large_limit",
            "bytes",
            "Memory that large bodies may hold",
            () -> limit(budget.large())),
        Metric.peak(
            "large_peak", "bytes", "The most memory that large bodies held", budget.large()::peak),
        Metric.gauge(
            "waiting",
            "requests",
            "Request bodies that wait now",
            () -> budget.small().waiting() + budget.large().waiting()),
        Metric.peak(
                "longest_wait",
                "milliseconds",
                "How long the body has waited that waits longest now",
                () ->
                    Math.max(budget.small().longestWaitNanos(), budget.large().longestWaitNanos())
                        / 1_000_000)
            .tagged(Tag.UPLOAD_WAIT),
        Metric.counter("waits", "requests", "Request bodies that had to wait", budget::waits),
        Metric.counter(
            "paced",
            "requests",
            "Request bodies that waited for the write queue although their bytes fit the budget",
            () -> budget.small().paced() + budget.large().paced()),
        Metric.counter(
            "wait_time", "nanoseconds", "Time that request bodies have waited", budget::waitNanos),
        Metric.counter(
                "refusals",
                "requests",
                "Requests that waited too long and got 429",
                budget::refusals)
            .tagged(Tag.REFUSED_UPLOADS),
        Metric.counter(
                "slow_senders",
                "connections",
                "Connections closed because a request body came too slowly",
                budget::slowSenders)
            .tagged(Tag.REFUSED_UPLOADS));
  }

  private static long limit(ByteBudget of) {
    long limit = of.limit();
    return limit == Long.MAX_VALUE ? 0 : limit;
  }

  @Override
  public void declare(Hooks hooks) {
    server.accept(hooks);
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
    Pace pace = on && queuedWrites > 0 ? new WriteQueue(threads, unread, queuedWrites) : Pace.NONE;
    budget.small().pace(pace);
    budget.large().pace(pace);
  }
}
