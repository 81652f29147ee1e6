package io.millrace.bench;

import io.millrace.bench.term.BenchFailure;

/** Options that cannot be meant so. */
final class Checks {
  private Checks() {}

  static void atLeast(String option, long value, long least) {
    if (value < least) {
      throw new BenchFailure(option + ": " + value + " is too small; it must be at least " + least);
    }
  }

  static void heap(String heap) {
    if (!heap.matches("[1-9][0-9]*[mMgG]")) {
      throw new BenchFailure("--heap: '" + heap + "' is not a size; write 512m or 2g");
    }
  }
}
