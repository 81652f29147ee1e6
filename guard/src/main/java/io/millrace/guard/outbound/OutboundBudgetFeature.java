package io.millrace.guard.outbound;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.function.Consumer;

/**
 * Responses that nobody reads do not fill the heap.
 *
 * <p>Stock runs up to 10,000 pipelined requests of a connection at once
 * (http.pipelining.max_events) and keeps every response until its client has read it, however long
 * that takes. Slow readers of deep pages took a stock node of 512 MB down for 100 s.
 */
public final class OutboundBudgetFeature implements Feature {
  /** The feature's id. */
  public static final String ID = "guard.outbound-budget";

  private final Switch enabled;
  private final OutboundBudget budget;
  private final Consumer<Hooks> server;
  private final OutboundLimits limits = new OutboundLimits();

  /**
   * The feature.
   *
   * @param enabled its switch, shared with the budget
   * @param server declares the HTTP server that asks the budget
   */
  public OutboundBudgetFeature(Switch enabled, OutboundBudget budget, Consumer<Hooks> server) {
    this.enabled = enabled;
    this.budget = budget;
    this.server = server;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Responses that wait to be written have a budget; clients that do not read are "
        + "disconnected";
  }

  @Override
  public List<String> sources() {
    return List.of("network-throttling", "failed-requests");
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
            "pending", "bytes", "Bytes of responses that wait to be written", budget::pending),
        Metric.gauge(
            "limit",
            "bytes",
            "Bytes of responses that may wait to be written",
            () -> budget.limit() == Long.MAX_VALUE ? 0 : budget.limit()),
        Metric.peak(
            "peak", "bytes", "The most bytes of responses that waited at once", budget::peak),
        Metric.counter(
                "stalled_readers",
                "connections",
                "Connections closed because their client read nothing, or less than floor_rate, "
                    + "for stall_timeout",
                budget::stalledReaders)
            .tagged(Tag.CLOSED_READERS),
        Metric.counter(
                "pressed_out",
                "connections",
                "Connections closed after pressed_stall_timeout, because more bytes waited than "
                    + "the node may hold",
                budget::pressedOut)
            .tagged(Tag.CLOSED_READERS),
        Metric.counter(
            "pipeline_waits",
            "requests",
            "Requests that waited for earlier requests of their connection",
            budget::pipelineWaits));
  }

  @Override
  public void declare(Hooks hooks) {
    server.accept(hooks);
  }

  @Override
  public void start(NodeServices services) {
    limits.node.follow(value -> budget.limit(value.getBytes()));
    limits.pipelining.follow(budget::pipelining);
    limits.floorRate.follow(value -> budget.floorRate(value.getBytes()));
    limits.stall.follow(budget::stall);
    limits.pressedStall.follow(budget::pressedStall);
  }
}
