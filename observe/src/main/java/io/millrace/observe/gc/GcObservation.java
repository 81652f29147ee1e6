package io.millrace.observe.gc;

import com.sun.management.ThreadMXBean;
import io.millrace.kernel.metric.Durations;
import io.millrace.kernel.report.NodeReportSource;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Everything that is known about this JVM's collector, from beans and events together.
 *
 * <p>Allocation is the JVM's own exact count over all threads that ever lived
 * (ThreadMXBean.getTotalThreadAllocatedBytes, JDK 21). Promotion is the growth of the old
 * generation over each collection that is not full, which is what jstat shows as well.
 */
public final class GcObservation implements NodeReportSource {
  private static final int RATES_OVER_LOOKS = 6;

  private final Collectors collectors = new Collectors();
  private final GcEvents events = new GcEvents();
  private final Deque<Look> looks = new ArrayDeque<>();

  private record Look(long nanos, long allocated, long promoted) {}

  void start(boolean withEvents) {
    collectors.start();
    if (withEvents) {
      events.start();
    }
    look();
  }

  void stop() {
    collectors.stop();
    events.stop();
  }

  /** Remembers where the counters stand, for the rates; called every ten seconds. */
  synchronized void look() {
    looks.addLast(new Look(System.nanoTime(), allocatedBytes(), promotedBytes()));
    if (looks.size() > RATES_OVER_LOOKS) {
      looks.removeFirst();
    }
  }

  /** Bytes that all threads allocated since the JVM started. */
  public long allocatedBytes() {
    return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
            && bean.isThreadAllocatedMemorySupported()
        ? Math.max(0, bean.getTotalThreadAllocatedBytes())
        : 0;
  }

  /** Bytes by which the old generation grew in collections, since the feature started. */
  public long promotedBytes() {
    return collectors.promotedBytes.sum();
  }

  /** Pauses since the feature started: from events, else from beans. */
  public Durations pauses() {
    return events.counted() ? events.pauses : collectors.pauses();
  }

  /** ZGC's allocation stalls, one for each waiting thread; empty without events. */
  public Durations stalls() {
    return events.stalls;
  }

  /** Times to a safepoint; empty without events. */
  public Durations timeToSafepoint() {
    return events.timeToSafepoint;
  }

  /** Cycles of ZGC that ran because threads waited for memory. */
  public long stalledCycles() {
    return collectors.stalledCycles.sum();
  }

  /** Stalls by events; without events the cycles, which are fewer. */
  public long allocationStalls() {
    return events.counted() ? events.stalls.count() : stalledCycles();
  }

  /** Collections that stopped every thread until the whole heap was done. */
  public long fullCollections() {
    return collectors.fullCollections();
  }

  /**
   * Full collections that somebody asked for: {@code guard.request-breaker} after it stopped a
   * large search, {@code jcmd}, a heap dump. They say nothing of a heap in need.
   */
  public long requestedFullCollections() {
    return collectors.requestedFullCollections.sum();
  }

  /** Evacuations of G1 that failed for want of space. */
  public long evacuationFailures() {
    return events.evacuationFailures.sum();
  }

  /** Collections of G1 that a humongous allocation caused. */
  public long humongousCollections() {
    return collectors.humongousCollections.sum();
  }

  /** Bytes of events that the recorder lost: what it counted is too low. */
  public long lostEventBytes() {
    return events.lostBytes.sum();
  }

  /** Heap in use after the last collection, bytes; 0 before the first. */
  public long heapAfterBytes() {
    return collectors.heapAfterBytes();
  }

  /** The old generation now, bytes; 0 where the collector has none. */
  public long oldBytes() {
    return Collectors.oldBytes();
  }

  /** The heap's upper limit, bytes. */
  public long heapMaxBytes() {
    return Collectors.heapMaxBytes();
  }

  /** Whether pauses and stalls come from events. */
  public boolean fromEvents() {
    return events.running();
  }

  Map<String, Collectors.Collector> byCollector() {
    return collectors.byName();
  }

  @Override
  public Map<String, Object> report() {
    Map<String, Object> beans = new LinkedHashMap<>();
    byCollector()
        .forEach(
            (name, collector) -> beans.put(name, shape(collector.count(), collector.millis())));
    if (collectors.isZgc()) {
      beans.put(
          "ZGC AllocationStallCount",
          shape(allocationStalls(), events.stalls.totalNanos() / 1_000_000));
    }
    Map<String, Object> gc = new LinkedHashMap<>();
    gc.put("collectors", beans);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("gc", gc);
    report.put("source", source());
    report.put("pauses", pauses().report());
    Map<String, Object> stalls = new LinkedHashMap<>(events.stalls.report());
    stalls.put("cycles", stalledCycles());
    report.put("allocation_stalls", stalls);
    report.put("time_to_safepoint", events.timeToSafepoint.report());
    report.put("full_collections", fullCollections());
    report.put("requested_full_collections", requestedFullCollections());
    report.put("evacuation_failures", evacuationFailures());
    report.put("humongous_collections", humongousCollections());
    report.put("last_cause", collectors.lastCause());
    report.put("heap", heap());
    report.put("rates", rates());
    return report;
  }

  private Map<String, Object> source() {
    Map<String, Object> source = new LinkedHashMap<>();
    source.put("pauses", fromEvents() ? "jfr" : "beans, whole milliseconds");
    source.put(
        "allocation_stalls",
        fromEvents() ? "jfr, every stall" : "beans, cycles that threads waited for");
    if (!events.failure().isEmpty()) {
      source.put("jfr_failure", events.failure());
    }
    source.put("lost_event_bytes", lostEventBytes());
    return source;
  }

  private Map<String, Object> heap() {
    Map<String, Object> heap = new LinkedHashMap<>();
    heap.put("max_in_bytes", heapMaxBytes());
    heap.put("used_in_bytes", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    heap.put("after_gc_in_bytes", heapAfterBytes());
    heap.put("old_in_bytes", oldBytes());
    heap.put("survivor_after_gc_in_bytes", collectors.survivorAfterBytes());
    return heap;
  }

  private synchronized Map<String, Object> rates() {
    Map<String, Object> rates = new LinkedHashMap<>();
    rates.put("allocated_in_bytes", allocatedBytes());
    rates.put("promoted_in_bytes", promotedBytes());
    Look first = looks.peekFirst();
    if (first != null) {
      double seconds = Math.max(1e-3, (System.nanoTime() - first.nanos) / 1e9);
      rates.put("over_seconds", Math.round(seconds * 10) / 10.0);
      rates.put(
          "allocated_in_bytes_per_second",
          Math.round((allocatedBytes() - first.allocated) / seconds));
      rates.put(
          "promoted_in_bytes_per_second", Math.round((promotedBytes() - first.promoted) / seconds));
    }
    return rates;
  }

  private static Map<String, Object> shape(long count, long millis) {
    Map<String, Object> shape = new LinkedHashMap<>();
    shape.put("collection_count", count);
    shape.put("collection_time_in_millis", millis);
    return shape;
  }
}
