package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;

/** CMS is gone since JDK 14 and was never meant for today's heaps. */
public final class OldCollector extends Rule {

  public OldCollector() {
    super(
        new About(
            "old-collector",
            Area.JVM,
            "An old collector is in use",
            "CMS, or Serial on a node with 2 processors or more and 2 GB of heap or more",
            "CMS fragments the old generation until it has to stop for a compaction, and its young generation is sized by"
                + " chance. Serial uses one thread while all others wait.",
            "JEP 363: CMS was removed in JDK 14; JEP 248: G1 is the default since JDK 9",
            "shorter pauses whose length is a goal; a field report saw 15 % more throughput from G1 of JDK 17 than of JDK 11"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<String> remove = List.of();
    for (Node node : snapshot.nodes()) {
      boolean cms = node.collector("ConcurrentMarkSweep");
      boolean serial =
          node.collector("MarkSweepCompact")
              && !node.collector("ParNew")
              && node.info("os.available_processors") >= 2
              && node.info("jvm.mem.heap_max_in_bytes") >= JvmFlags.TWO_GB;
      if (cms || serial) {
        diagnosis
            .found(serial || node.java() >= 11 ? Severity.WARN : Severity.INFO, node.name())
            .seen(node.infoPath("jvm.gc_collectors"), Json.at(node.info(), "jvm.gc_collectors"))
            .seen(node.infoPath("jvm.version"), node.text("jvm.version"))
            .weigh(serial ? 60 : 20);
        remove =
            cms
                ? List.of(
                    "-XX:+UseConcMarkSweepGC",
                    "-XX:CMSInitiatingOccupancyFraction=75",
                    "-XX:+UseCMSInitiatingOccupancyOnly")
                : List.of("-XX:+UseSerialGC");
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " uses a collector that is no longer made for this.",
        Fix.config(
                "jvm.options",
                remove,
                List.of(
                    "-XX:+UseG1GC",
                    "-XX:G1ReservePercent=25",
                    "-XX:InitiatingHeapOccupancyPercent=30"))
            .and(
                "On JDK 8 give the young generation a size first, and compare with a GC log before and after."));
  }
}
