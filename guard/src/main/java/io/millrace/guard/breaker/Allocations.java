package io.millrace.guard.breaker;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** The JVM's exact counts of allocated bytes, by thread and over all (JDK 21 and newer). */
class Allocations {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Bytes a living thread has allocated so far; 0 for one that ended. */
  long of(long threadId) {
    return Math.max(0, threads.getThreadAllocatedBytes(threadId));
  }

  /** Bytes that all threads have allocated, those that ended included. */
  long total() {
    return Math.max(0, threads.getTotalThreadAllocatedBytes());
  }
}
