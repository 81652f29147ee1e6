package io.millrace.guard.breaker;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Gives memory back at once: what a stopped request held is garbage, but a node that is idle
 * afterwards would keep it for hours, and every limit that looks at the used heap would see it.
 *
 * <p>Asks for a collection where that does not stop the program for long: ZGC and Shenandoah, G1
 * with {@code -XX:+ExplicitGCInvokesConcurrent}, or any collector on a heap below 4 GB. At most one
 * in ten seconds.
 */
class AfterRefusal {
  private static final long SMALL_HEAP = 4L << 30;
  private static final long PAUSE = 10_000_000_000L;

  private final Limits limits;
  private final long heap;
  private final boolean gentle;
  private final AtomicLong owed = new AtomicLong();
  private final AtomicLong lastAt = new AtomicLong(System.nanoTime() - PAUSE);
  final LongAdder collections = new LongAdder();

  AfterRefusal(Limits limits, long heap) {
    this.limits = limits;
    this.heap = heap;
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

  /** A request is about to leave that held so many bytes. */
  void refused(long bytes) {
    if (bytes > heap / 10) {
      owed.addAndGet(bytes);
    }
  }

  /** Called a few times a second, from {@link LedgerWatch}: not on a search's thread. */
  void tick() {
    long now = System.nanoTime();
    if (owed.get() > 0 && now - lastAt.get() > PAUSE) {
      owed.set(0);
      lastAt.set(now);
      if (gentle && limits.collectAfter()) {
        collections.increment();
        collect();
      }
    }
  }

  void collect() {
    System.gc();
  }
}
