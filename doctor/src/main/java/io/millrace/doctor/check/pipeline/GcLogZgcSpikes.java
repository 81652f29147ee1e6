package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.gc.GcAdvice;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.EnumSet;
import java.util.Optional;

/** What stops ZGC for long is the machine below it. */
public final class GcLogZgcSpikes extends Rule {
  public GcLogZgcSpikes() {
    super(
        new About(
            "gc-zgc-spikes",
            Area.GC_LOG,
            "Pauses of ZGC are long",
            "a GC log of ZGC has a pause of 20 ms or more",
            "ZGC stops threads for well below a millisecond. A pause of tens of milliseconds is not its work: the kernel moved pages or threads between memory nodes, or the machine had no processor for it.",
            "JDK documentation, ZGC; a field report: pauses of tens to hundreds of milliseconds ended with automatic NUMA balancing",
            "pauses of ZGC below a millisecond again"));
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    return GcCases.finding(
        diagnosis(), snapshot, EnumSet.of(GcAdvice.Case.SPIKE), "Pauses of ZGC are long in ");
  }
}
