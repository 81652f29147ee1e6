package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.gc.GcAdvice;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What GC logs say beyond the node's counters. */
public final class GcLogTrouble extends Rule {
  public GcLogTrouble() {
    super(
        new About(
            "gc-log",
            Area.GC_LOG,
            "A GC log shows long or wasted collections",
            "10 % of the time in pauses, a pause of 1 s or more, a full collection per hour, allocation stalls, failed evacuations (to-space exhausted), failures of CMS, more than 5 collections for room for classes, or a young generation below a sixth of the heap under a collector with fixed generations",
            "Each of them stops the node for seconds or makes its threads wait; counters of the node do not name the cause, the log does.",
            "JDK documentation of the collectors; field reports on CMS with a young generation of 1 to 19 and on ZGC's allocation stalls",
            "shorter pauses; 'millrace gc FILE' has the figures and sizes"));
  }

  /** Those that have no check of their own. */
  private static final Set<GcAdvice.Case> CASES =
      EnumSet.complementOf(EnumSet.of(GcAdvice.Case.HUMONGOUS, GcAdvice.Case.SPIKE));

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    return GcCases.finding(diagnosis(), snapshot, CASES, "The collector is in trouble in ");
  }
}
