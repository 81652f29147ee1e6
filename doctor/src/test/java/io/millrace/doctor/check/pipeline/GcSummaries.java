package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.gc.GcEvent;
import io.millrace.doctor.gc.GcSummary;
import java.util.Collections;
import java.util.List;
import java.util.stream.DoubleStream;

/** Small logs for the tests beside it. */
final class GcSummaries {
  private GcSummaries() {}

  static GcSummary good() {
    return of(new GcEvent(1, GcEvent.Kind.YOUNG, "G1 Evacuation Pause", 12, 900, 100, 1_000));
  }

  static GcSummary withFull() {
    return of(new GcEvent(1, GcEvent.Kind.FULL, "G1 Compaction Pause", 4_000, 990, 950, 1_000));
  }

  /** Full collections that free most of a heap of 4 GB. */
  static GcSummary fullOf(String collector) {
    GcEvent full =
        new GcEvent(1, GcEvent.Kind.FULL, "Allocation Failure", 400, 3L << 30, 1L << 30, 4L << 30);
    return new GcSummary(
        "gc.log",
        collector,
        List.of(full, full),
        600,
        4L << 30,
        -1,
        -1,
        -1,
        0,
        0,
        0,
        10,
        List.of());
  }

  /** Collections that only made room for classes. */
  static GcSummary metadata(int pauses) {
    return of(
        "G1",
        Collections.nCopies(
            pauses,
            new GcEvent(1, GcEvent.Kind.YOUNG, "Metadata GC Threshold", 12, 900, 100, 1_000)),
        0);
  }

  static GcSummary humongous(int humongous, int pauses) {
    return of(
        "G1",
        Collections.nCopies(
            pauses,
            new GcEvent(1, GcEvent.Kind.YOUNG, "G1 Humongous Allocation", 12, 900, 100, 1_000)),
        humongous);
  }

  static GcSummary zgc(double... millis) {
    return of(
        "ZGC",
        DoubleStream.of(millis)
            .mapToObj(m -> new GcEvent(1, GcEvent.Kind.PHASE, "", m, -1, -1, -1))
            .toList(),
        0);
  }

  private static GcSummary of(GcEvent event) {
    return of("G1", List.of(event), 0);
  }

  private static GcSummary of(String collector, List<GcEvent> events, int humongous) {
    return new GcSummary(
        "gc.log", collector, events, 600, 1_000, -1, -1, -1, humongous, 0, 0, 10, List.of());
  }
}
