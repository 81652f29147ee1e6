package io.millrace.observe.gc;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import io.millrace.kernel.metric.Durations;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM's beans say: collections and time by collector, and from each collection's
 * notification what lived on, what was promoted and why it ran.
 *
 * <p>A notification with the cause {@code Allocation Stall} stands for one <em>cycle</em> that some
 * threads waited for, not for one stall. On JDK 25 there were 44 such cycles where the flight
 * recorder counted 243 stalls. So {@link GcEvents} counts the stalls, and this class says how many
 * cycles there were.
 */
final class Collectors {
  /** Collectors that stop the world for everything, by the names of OpenJDK 21 to 25. */
  private static final Set<String> FULL =
      Set.of("G1 Old Generation", "PS MarkSweep", "MarkSweepCompact");

  /** Causes of collections that somebody asked for: the program, jcmd, a heap dump. */
  private static final Set<String> REQUESTED =
      Set.of(
          "System.gc()",
          "Diagnostic Command",
          "Heap Dump Initiated GC",
          "Heap Inspection Initiated GC");

  private final List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
  private final NotificationListener listener = this::collected;
  private final Durations pauses = new Durations();

  final LongAdder promotedBytes = new LongAdder();
  final LongAdder stalledCycles = new LongAdder();
  final LongAdder humongousCollections = new LongAdder();
  final LongAdder requestedFullCollections = new LongAdder();
  private volatile long heapAfter;
  private volatile long survivorAfter;
  private volatile @Nullable String lastCause;

  /** Count and time of one collector. */
  record Collector(long count, long millis) {}

  void start() {
    for (GarbageCollectorMXBean bean : beans) {
      if (bean instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(listener, null, null);
      }
    }
  }

  void stop() {
    for (GarbageCollectorMXBean bean : beans) {
      if (bean instanceof NotificationEmitter emitter) {
        try {
          emitter.removeNotificationListener(listener);
        } catch (ListenerNotFoundException e) {
          // it was never added
        }
      }
    }
    // nobody reports it any more, and an old figure would look like a heap that stays as it is
    heapAfter = 0;
    survivorAfter = 0;
  }

  private void collected(Notification notification, @Nullable Object handback) {
    if (notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
        && notification.getUserData() instanceof CompositeData data) {
      GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
      collected(info.getGcName(), info.getGcCause(), info.getGcInfo());
    }
  }

  /** One notification; {@code collector} and {@code cause} in the JVM's words. */
  void collected(String collector, String cause, GcInfo info) {
    if (pauses(collector)) {
      pauses.record(info.getDuration() * 1_000_000L);
    }
    if (collector.endsWith("Pauses")) {
      return; // the cycle's own notification carries cause and heap
    }
    lastCause = cause;
    if (cause.equals("Allocation Stall")) {
      stalledCycles.increment();
    }
    if (cause.equals("G1 Humongous Allocation")) {
      humongousCollections.increment();
    }
    if (isFull(collector) && REQUESTED.contains(cause)) {
      requestedFullCollections.increment();
    }
    long heap = 0;
    long survivors = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage after = info.getMemoryUsageAfterGc().get(pool.getName());
      if (pool.getType() != MemoryType.HEAP || after == null) {
        continue;
      }
      heap += after.getUsed();
      if (pool.getName().contains("Survivor")) {
        survivors += after.getUsed();
      }
      MemoryUsage before = info.getMemoryUsageBeforeGc().get(pool.getName());
      if (isOld(pool.getName()) && before != null && !isFull(collector)) {
        promotedBytes.add(Math.max(0, after.getUsed() - before.getUsed()));
      }
    }
    heapAfter = heap;
    survivorAfter = survivors;
  }

  /** Whether a bean's collections are pauses: not the concurrent cycles of ZGC, G1 and the like. */
  static boolean pauses(String collector) {
    return !collector.endsWith("Cycles") && !collector.contains("Concurrent");
  }

  static boolean isFull(String collector) {
    return FULL.contains(collector);
  }

  static boolean isOld(String pool) {
    String name = pool.toLowerCase(Locale.ROOT);
    return name.contains("old gen") || name.contains("tenured");
  }

  /**
   * Every collector by its own name, and {@code ZGC Cycles} and {@code ZGC Pauses} as sums where
   * the JVM splits them in minor and major (generational ZGC), so that what reads the names of ZGC
   * before JDK 21 works on every JDK.
   */
  Map<String, Collector> byName() {
    Map<String, Collector> collectors = new LinkedHashMap<>();
    for (GarbageCollectorMXBean bean : beans) {
      collectors.put(
          bean.getName(),
          new Collector(
              Math.max(0, bean.getCollectionCount()), Math.max(0, bean.getCollectionTime())));
    }
    return withSums(collectors);
  }

  static Map<String, Collector> withSums(Map<String, Collector> collectors) {
    Map<String, Collector> sums = new LinkedHashMap<>();
    collectors.forEach((name, collector) -> {
      if (name.startsWith("ZGC M")) {
        sums.merge(
            name.endsWith("Cycles") ? "ZGC Cycles" : "ZGC Pauses",
            collector,
            (a, b) -> new Collector(a.count() + b.count(), a.millis() + b.millis()));
      }
    });
    Map<String, Collector> all = new LinkedHashMap<>(sums);
    all.putAll(collectors);
    return all;
  }

  /** Collections that stopped every thread until the whole heap was done. */
  long fullCollections() {
    long full = 0;
    for (GarbageCollectorMXBean bean : beans) {
      if (isFull(bean.getName())) {
        full += Math.max(0, bean.getCollectionCount());
      }
    }
    return full;
  }

  boolean isZgc() {
    return beans.stream().anyMatch(bean -> bean.getName().startsWith("ZGC"));
  }

  /** Pauses as the beans report them: whole milliseconds. */
  Durations pauses() {
    return pauses;
  }

  /** Heap in use after the last collection, bytes; 0 before the first. */
  long heapAfterBytes() {
    return heapAfter;
  }

  /** Survivor space in use after the last collection, bytes. */
  long survivorAfterBytes() {
    return survivorAfter;
  }

  /** Why the last collection ran, in the JVM's words; empty before the first. */
  String lastCause() {
    String cause = lastCause;
    return cause == null ? "" : cause;
  }

  /** Heap's upper limit, bytes. */
  static long heapMaxBytes() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
  }

  /** The old generation now, bytes; 0 where the collector has none. */
  static long oldBytes() {
    long used = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP && isOld(pool.getName())) {
        used += pool.getUsage().getUsed();
      }
    }
    return used;
  }
}
