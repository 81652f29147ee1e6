package io.millrace.observe.gc;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Garbage collection for every collector of JDK 21 to 25: collections and time by collector, in the
 * shape of {@code gc.collectors}, and beside it the true number of stalls, pause quantiles, rates,
 * and heap after collection.
 */
public final class GcFeature implements Feature {
  private final Switch enabled = Feature.switchFor(id(), true);
  private final Knob<Boolean> jfr =
      new Knob<>(
          Checked.flag(prefix() + ".jfr", true, Property.NodeScope),
          "`true` counts pauses and stalls with the flight recorder. `false` takes them "
              + "from the JVM's beans: pauses in whole milliseconds, and collection cycles that "
              + "threads waited for instead of stalls.");
  private final GcObservation gc = new GcObservation();
  private boolean started;
  private Scheduler.@Nullable Cancellable looking;

  /** What was seen; for other features of this domain. */
  public GcObservation observation() {
    return gc;
  }

  @Override
  public String id() {
    return "observe.gc";
  }

  @Override
  public String summary() {
    return "`GET /_millrace/gc` shows collections, pauses, ZGC's allocation stalls, "
        + "allocation and promotion rates";
  }

  @Override
  public List<String> sources() {
    return List.of("collections-seen", "zgc-figures");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(jfr);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        byCollector(
            "collections",
            "collections",
            "Collections by collector; ZGC Cycles and ZGC Pauses sum their minor and major kinds",
            Collectors.Collector::count),
        byCollector(
            "collection_time",
            "milliseconds",
            "Time of collections by collector; the time of concurrent collectors is mostly "
                + "no pause",
            Collectors.Collector::millis),
        Metric.counter(
            "pauses", "pauses", "Pauses that stopped every thread", () -> gc.pauses().count()),
        Metric.counter(
            "pause_time",
            "nanoseconds",
            "Time for which pauses stopped every thread",
            () -> gc.pauses().totalNanos()),
        Metric.peak(
            "pause_p99",
            "microseconds",
            "99 of 100 pauses since the start were at most this long",
            () -> gc.pauses().micros(99)),
        Metric.peak(
            "pause_longest",
            "microseconds",
            "The longest pause since the start",
            () -> gc.pauses().maxMicros()),
        Metric.counter(
            "allocation_stalls",
            "stalls",
            "How often a thread waited for ZGC to free memory; without the flight recorder, "
                + "how many cycles threads waited for",
            gc::allocationStalls),
        Metric.counter(
            "allocation_stall_time",
            "nanoseconds",
            "Time that threads waited for ZGC to free memory; 0 without the flight recorder",
            () -> gc.stalls().totalNanos()),
        Metric.counter(
            "stalled_cycles",
            "cycles",
            "Cycles of ZGC that ran because threads waited",
            gc::stalledCycles),
        Metric.counter(
            "full_collections",
            "collections",
            "Collections that stopped every thread until the whole heap was done",
            gc::fullCollections),
        Metric.counter(
            "requested_full_collections",
            "collections",
            "Full collections that a program, jcmd or a heap dump asked for",
            gc::requestedFullCollections),
        Metric.counter(
            "evacuation_failures",
            "collections",
            "Collections of G1 that ran out of space to copy to",
            gc::evacuationFailures),
        Metric.counter(
            "humongous_collections",
            "collections",
            "Collections of G1 that a humongous allocation caused",
            gc::humongousCollections),
        Metric.counter(
            "allocated", "bytes", "Bytes that all threads allocated", gc::allocatedBytes),
        Metric.counter(
            "promoted",
            "bytes",
            "Bytes by which the old generation grew in collections",
            gc::promotedBytes),
        Metric.gauge(
            "heap_after_gc", "bytes", "Heap in use after the last collection", gc::heapAfterBytes),
        Metric.counter(
            "safepoints",
            "safepoints",
            "How often every thread was asked to stop; 0 without the flight recorder",
            () -> gc.timeToSafepoint().count()),
        Metric.counter(
            "time_to_safepoint",
            "nanoseconds",
            "Time until every thread had stopped; 0 without the flight recorder",
            () -> gc.timeToSafepoint().totalNanos()),
        Metric.counter(
            "lost_events",
            "bytes",
            "Bytes of events that the flight recorder lost; above 0 the counts are too low",
            gc::lostEventBytes),
        Metric.gauge(
            "flight_recorders",
            "recorders",
            "1 while the flight recorder counts, 0 while the beans do",
            () -> gc.fromEvents() ? 1 : 0));
  }

  private Metric byCollector(
      String name, String unit, String doc, ToDoubleFunction<Collectors.Collector> value) {
    return new Metric(
        name,
        Kind.COUNTER,
        unit,
        doc,
        Merge.SUM,
        () ->
            gc.byCollector().entrySet().stream()
                .map(entry ->
                    new Sample(
                        Map.of("collector", entry.getKey()), value.applyAsDouble(entry.getValue())))
                .toList());
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.report("gc", gc);
  }

  @Override
  public void start(NodeServices services) {
    enabled.follow(this::follow);
    looking =
        services
            .threadPool()
            .scheduleWithFixedDelay(
                gc::look, TimeValue.timeValueSeconds(10), ThreadPool.Names.GENERIC);
  }

  private synchronized void follow(boolean on) {
    if (on && !started) {
      gc.start(jfr.value());
    } else if (!on && started) {
      gc.stop();
    }
    started = on;
  }

  @Override
  public void stop() {
    if (looking != null) {
      looking.cancel();
    }
    follow(false);
  }
}
