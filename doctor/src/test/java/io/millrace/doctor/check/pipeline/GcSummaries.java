package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.gc.GcEvent;
import io.millrace.doctor.gc.GcSummary;
import java.util.List;

/** Small logs for the test beside it. */
final class GcSummaries {
  private GcSummaries() {}

  static GcSummary good() {
    return of(new GcEvent(1, GcEvent.Kind.YOUNG, "G1 Evacuation Pause", 12, 900, 100, 1_000));
  }

  static GcSummary withFull() {
    return of(new GcEvent(1, GcEvent.Kind.FULL, "G1 Compaction Pause", 4_000, 990, 950, 1_000));
  }

  private static GcSummary of(GcEvent event) {
    return new GcSummary(
        "gc.log", "G1", List.of(event), 600, 1_000, -1, -1, -1, 0, 0, 0, 10, List.of());
  }
}
