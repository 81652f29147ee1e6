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
import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.Optional;

/** ZGC buys short pauses with CPU; a node that only writes and has no CPU left pays for nothing. */
public final class CollectorForUse extends Rule {
  public CollectorForUse() {
    super(
        new About(
            "collector-use",
            Area.JVM,
            "ZGC runs where throughput counts",
            "ZGC runs, CPU is at 85 % or more in both answers, and in the window 1,000 documents per second or more were written and fewer than a tenth as many shards searched",
            "ZGC marks and moves objects beside the load, on the processors that the load needs. Writers of logs do not see"
                + " pauses of some 10 ms; they see rejections.",
            "a field report: G1 for clusters of logs, ZGC for those whose searches have to be fast and that have CPU to spare",
            "more documents per second on the same machine"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long before = Json.number(node.first(), "os.cpu.percent");
      long now = node.stat("os.cpu.percent");
      long written = node.grew("indices.indexing.index_total");
      long searched = node.grew("indices.search.query_total");
      if (node.collector("ZGC")
          && Math.min(before, now) >= 85
          && node.windowMillis() > 0
          && written >= node.windowMillis()
          && searched * 10 < written) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.statPath("os.cpu.percent"), before + " %, then " + now + " %")
            .seen(
                node.statPath("indices.indexing.index_total"),
                "+" + written + " in " + Units.time(node.windowMillis()))
            .seen(node.statPath("indices.search.query_total"), "+" + searched)
            .weigh(50);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " writes under ZGC and has no CPU left.",
        Fix.config("jvm.options", List.of("-XX:+UseZGC"), List.of("-XX:+UseG1GC")));
  }
}
