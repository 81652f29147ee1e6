package io.millrace.doctor.check.jvm;

import io.millrace.doctor.snapshot.Node;

/**
 * Garbage collections of a node in numbers: since its start, or in the window when that is long.
 *
 * @param count of them
 * @param millis in them
 * @param overMillis the time that they are counted over
 * @param starting whether they are those of a JVM's first minutes, which tell nothing of its load
 */
record GcTimes(long count, double millis, double overMillis, boolean starting) {
  private static final long ENOUGH = 60_000;

  /** A JVM that is younger has mostly loaded classes and filled caches. */
  private static final long SETTLED = 600_000;

  /**
   * @param which {@code young} or {@code old}
   */
  static GcTimes of(Node node, String which) {
    String path = "jvm.gc.collectors." + which + ".";
    if (node.windowMillis() >= ENOUGH) {
      return new GcTimes(
          node.grew(path + "collection_count"),
          node.grew(path + "collection_time_in_millis"),
          node.windowMillis(),
          false);
    }
    return new GcTimes(
        node.stat(path + "collection_count"),
        node.stat(path + "collection_time_in_millis"),
        node.uptimeMillis(),
        node.uptimeMillis() < SETTLED);
  }

  /** Share of the time, 0 to 1; 0 in the first minute of a JVM, which says nothing. */
  double share() {
    return overMillis < ENOUGH ? 0 : millis / overMillis;
  }

  /** Milliseconds of one on average; 0 without any. */
  double meanMillis() {
    return count == 0 ? 0 : millis / count;
  }

  double perSecond() {
    return overMillis < ENOUGH ? 0 : count * 1_000.0 / overMillis;
  }
}
