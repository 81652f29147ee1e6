package io.millrace.guard.lanes;

import com.sun.management.ThreadMXBean;
import io.millrace.guard.lanes.History.Use;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of one search have used for it: the JVM's own counts, read when asked.
 *
 * <p>Reading them is a call of the operating system, twice for each phase. A search that is known
 * to be light is read only once somebody looks at it while it runs, which nobody does in its first
 * milliseconds; until then it counts as at work all the time.
 */
final class ThreadUse {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Since when a thread works, and how many of its parts are under way. */
  private static final class Part {
    private final long began = System.nanoTime();

    /** Null while nobody has looked; read and written under the lock of all parts. */
    private @Nullable Use atStart;

    /** For the thread that works alone. */
    private int depth = 1;

    Part(@Nullable Use atStart) {
      this.atStart = atStart;
    }
  }

  private final Map<Long, Part> parts = new ConcurrentHashMap<>();
  private long cpuNanos;
  private long bytes;
  private volatile boolean atOnce = true;
  private volatile boolean whole = true;

  /** Whether it is read from the beginning; otherwise when somebody looks. */
  void readAtOnce(boolean atOnce) {
    this.atOnce = atOnce;
  }

  /** Whether it was read for all that has ended. */
  boolean whole() {
    return whole;
  }

  /** Of the calling thread, which the JVM need not look for. */
  private static Use now() {
    return new Use(
        Math.max(0, THREADS.getCurrentThreadCpuTime()),
        Math.max(0, THREADS.getCurrentThreadAllocatedBytes()));
  }

  private static Use now(long thread) {
    return new Use(
        Math.max(0, THREADS.getThreadCpuTime(thread)),
        Math.max(0, THREADS.getThreadAllocatedBytes(thread)));
  }

  /**
   * The calling thread works for the search, on one part of it or on a part of that part: the
   * thread of a query collects a slice itself.
   *
   * @return whether it did not work for the search before
   */
  boolean enter() {
    long id = Thread.currentThread().threadId();
    Part part = parts.get(id);
    if (part != null) {
      part.depth++;
      return false;
    }
    parts.put(id, new Part(atOnce ? now() : null));
    return true;
  }

  /**
   * The calling thread has done that part.
   *
   * @return whether it works for the search no more
   */
  boolean exit() {
    long id = Thread.currentThread().threadId();
    Part part = parts.get(id);
    if (part == null) {
      return true;
    }
    part.depth--;
    if (part.depth > 0) {
      return false;
    }
    synchronized (this) {
      parts.remove(id);
      Use start = part.atStart;
      if (start == null) {
        whole = false;
      } else {
        Use end = now();
        cpuNanos += Math.max(0, end.cpuNanos() - start.cpuNanos());
        bytes += Math.max(0, end.bytes() - start.bytes());
      }
    }
    return true;
  }

  /** Where nobody has looked yet: it may have worked all the time since it began. */
  private static Use start(Part part, Use now) {
    Use start = part.atStart;
    if (start == null) {
      long cpu = Math.max(0, now.cpuNanos() - (System.nanoTime() - part.began));
      start = new Use(cpu, now.bytes());
      part.atStart = start;
    }
    return start;
  }

  /** So far. */
  synchronized Use sum() {
    long cpu = cpuNanos;
    long allocated = bytes;
    for (Map.Entry<Long, Part> each : parts.entrySet()) {
      Use now = now(each.getKey());
      Use start = start(each.getValue(), now);
      cpu += Math.max(0, now.cpuNanos() - start.cpuNanos());
      allocated += Math.max(0, now.bytes() - start.bytes());
    }
    return new Use(cpu, allocated);
  }

  /** Whether the calling thread works for the search. */
  boolean worksHere() {
    return parts.containsKey(Thread.currentThread().threadId());
  }

  /** Whether a thread works now. */
  boolean working() {
    return !parts.isEmpty();
  }
}
