package io.millrace.guard.lanes;

import com.sun.management.ThreadMXBean;
import io.millrace.guard.lanes.History.Use;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the threads of one search have used for it: the JVM's own counts, read when asked. */
final class ThreadUse {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Map<Long, Use> atStart = new ConcurrentHashMap<>();
  private long cpuNanos;
  private long bytes;

  private static Use now(long thread) {
    return new Use(
        Math.max(0, THREADS.getThreadCpuTime(thread)),
        Math.max(0, THREADS.getThreadAllocatedBytes(thread)));
  }

  /** The calling thread works for the search; without effect when it does already. */
  void enter() {
    long id = Thread.currentThread().threadId();
    atStart.computeIfAbsent(id, ThreadUse::now);
  }

  /** The calling thread has done its part. */
  void exit() {
    long id = Thread.currentThread().threadId();
    Use start = atStart.remove(id);
    if (start != null) {
      Use end = now(id);
      synchronized (this) {
        cpuNanos += Math.max(0, end.cpuNanos() - start.cpuNanos());
        bytes += Math.max(0, end.bytes() - start.bytes());
      }
    }
  }

  /** So far. */
  Use sum() {
    long cpu;
    long allocated;
    synchronized (this) {
      cpu = cpuNanos;
      allocated = bytes;
    }
    for (Map.Entry<Long, Use> each : atStart.entrySet()) {
      Use now = now(each.getKey());
      cpu += Math.max(0, now.cpuNanos() - each.getValue().cpuNanos());
      allocated += Math.max(0, now.bytes() - each.getValue().bytes());
    }
    return new Use(cpu, allocated);
  }

  /** Whether a thread works now. */
  boolean working() {
    return !atStart.isEmpty();
  }
}
