package io.millrace.guard.breaker;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Gives memory back at once: what a stopped request held is garbage, but a node that is idle
 * afterwards would keep it for hours, and every limit that looks at the used heap would see it.
 *
 * <p>Asks for a collection where that does not stop the node for long: ZGC and Shenandoah, G1 with
 * {@code -XX:+ExplicitGCInvokesConcurrent}, or any collector on a heap below 4 GB. They take a
 * twentieth of the time at most: after one of 100 ms the next comes 2 s later, never sooner than 1
 * s and never later than 10 s. Searches that are stopped meanwhile get their collection then.
 */
class AfterRefusal {
  private static final long SMALL_HEAP = 4L << 30;
  private static final long LEAST_REST = 1_000_000_000L;
  private static final long MOST_REST = 10_000_000_000L;
  private static final int REST_PER_COLLECTION = 20;

  private final RequestLimits limits;
  private final long heap;
  private final boolean gentle;
  private final AtomicLong owed = new AtomicLong();
  private final LongSupplier clock;
  private volatile long notBefore;
  final LongAdder collections = new LongAdder();

  AfterRefusal(RequestLimits limits, long heap) {
    this(limits, heap, System::nanoTime);
  }

  AfterRefusal(RequestLimits limits, long heap, LongSupplier clock) {
    this.limits = limits;
    this.heap = heap;
    this.clock = clock;
    this.notBefore = clock.getAsLong();
    this.gentle = heap < SMALL_HEAP || concurrent();
  }

  private static boolean concurrent() {
    boolean stops =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(java.lang.management.GarbageCollectorMXBean::getName)
            .anyMatch(name -> name.startsWith("PS ") || name.equals("Copy"));
    boolean g1 =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .anyMatch(bean -> bean.getName().startsWith("G1"));
    HotSpotDiagnosticMXBean options =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return !stops
        && (!g1
            || (options != null
                && options.getVMOption("ExplicitGCInvokesConcurrent").getValue().equals("true")));
  }

  /** Notes that a request which held this many bytes is about to end. */
  void refused(long bytes) {
    if (bytes > heap / 10) {
      owed.addAndGet(bytes);
    }
  }

  /** Called a few times a second, from {@link LedgerWatch}, its only thread: not on a search's. */
  void tick() {
    long now = clock.getAsLong();
    if (owed.get() == 0 || now - notBefore < 0) {
      return;
    }
    owed.set(0);
    if (!gentle || !limits.collectAfter()) {
      return;
    }
    collections.increment();
    collect();
    long end = clock.getAsLong();
    notBefore = end + Math.clamp(REST_PER_COLLECTION * (end - now), LEAST_REST, MOST_REST);
  }

  void collect() {
    System.gc();
  }
}
