package io.millrace.doctor.check.write;

import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Snapshot;

/** How busy the indices are, from the window between the two answers. */
final class Written {
  private Written() {}

  /** Documents per second of one index; 0 without a window. */
  static double perSecond(Snapshot snapshot, Index index) {
    long millis = snapshot.windowMillis();
    return millis <= 0 ? 0 : index.written() * 1_000.0 / millis;
  }

  /** Whether an index is written to: in the window, or at all where there is no window. */
  static boolean busy(Snapshot snapshot, Index index) {
    return snapshot.windowMillis() > 0
        ? index.written() > 0
        : index.stat("primaries.indexing.index_total") > 0;
  }
}
