package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.gc.GcAdvice;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.EnumSet;
import java.util.Optional;

/** Objects that do not fit half a region cost G1 a region and often a cycle each. */
public final class GcLogHumongous extends Rule {
  public GcLogHumongous() {
    super(
        new About(
            "gc-humongous",
            Area.GC_LOG,
            "Humongous objects make the collector stop",
            "more than 5 pauses of a GC log of G1, and more than a fifth of all, are for objects of half a region or more",
            "Such an object takes regions of its own in the old generation and is freed late. Bulks, large answers and aggregations make them by the hundred.",
            "JDK documentation, Garbage-First: humongous objects",
            "such objects fit a region and die young"));
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    return GcCases.finding(
        diagnosis(),
        snapshot,
        EnumSet.of(GcAdvice.Case.HUMONGOUS),
        "Humongous objects stop the JVM again and again in ");
  }
}
