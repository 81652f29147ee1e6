package io.millrace.guard.breaker;

import org.opensearch.core.common.unit.ByteSizeValue;

/** Words for figures of memory, the same in errors, logs and pages. */
final class HeapShare {
  private HeapShare() {}

  /** {@code 102.3mb (19.9 % of the heap)}. */
  static String of(long bytes, long heap) {
    return new ByteSizeValue(Math.max(0, bytes))
        + " ("
        + Math.round(1000.0 * bytes / heap) / 10.0
        + " % of the heap)";
  }
}
