package io.millrace.guard.lanes;

import com.sun.management.ThreadMXBean;
import io.millrace.guard.lanes.History.Use;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the threads of one search have used for it: the JVM's own counts, read when asked. */
final class ThreadUse {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Since when a thread works, and how many of its parts are under way. */
  private record Part(Use atStart, int depth) {}

  private final Map<Long, Part> parts = new ConcurrentHashMap<>();
  private long cpuNanos;
  private long bytes;

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
   */
  void enter() {
    long id = Thread.currentThread().threadId();
    Part part = parts.get(id);
    parts.put(id, part == null ? new Part(now(), 1) : new Part(part.atStart, part.depth + 1));
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
    if (part.depth > 1) {
      parts.put(id, new Part(part.atStart, part.depth - 1));
      return false;
    }
    Use end = now();
    synchronized (this) {
      parts.remove(id);
      cpuNanos += Math.max(0, end.cpuNanos() - part.atStart.cpuNanos());
      bytes += Math.max(0, end.bytes() - part.atStart.bytes());
    }
    return true;
  }

  /** So far. */
  synchronized Use sum() {
    long cpu = cpuNanos;
    long allocated = bytes;
    for (Map.Entry<Long, Part> each : parts.entrySet()) {
      Use now = now(each.getKey());
      Use start = each.getValue().atStart;
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
