package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.gc.GcAdvice;
import io.millrace.doctor.gc.GcSummary;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.Optional;

/** What GC logs say beyond the node's counters. */
public final class GcLogTrouble extends Rule {
  public GcLogTrouble() {
    super(
        new About(
            "gc-log",
            Area.GC_LOG,
            "A GC log shows long or wasted collections",
            "10 % of the time in pauses, a pause of 1 s or more, a full collection per hour, allocation stalls, failed evacuations (to-space exhausted), failures of CMS, or a young generation below a sixth of the heap under a collector with fixed generations",
            "Each of them stops the node for seconds or makes its threads wait; counters of the node do not name the cause, the log does.",
            "JDK documentation of the collectors; field reports on CMS with a young generation of 1 to 19 and on ZGC's allocation stalls",
            "shorter pauses; 'millrace gc FILE' has the figures and sizes"));
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (GcSummary log : snapshot.given().gcLogs()) {
      for (GcAdvice advice : GcAdvice.of(log)) {
        diagnosis.found(Severity.WARN, log.file()).seen(log.file(), advice.what()).weigh(60);
      }
    }
    return diagnosis.saying(
        "The collector is in trouble in " + diagnosis.names() + ".",
        Fix.advice("'millrace gc FILE' says for each what to change, with sizes."));
  }
}
