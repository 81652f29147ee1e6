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

/** Memory that ZGC keeps for peaks is missing in the file cache between them. */
public final class SoftMaxHeapUnset extends Rule {
  public SoftMaxHeapUnset() {
    super(
        new About(
            "zgc-soft-max",
            Area.JVM,
            "ZGC keeps memory that only peaks need",
            "ZGC runs without -XX:SoftMaxHeapSize, its heap is more than half of the memory, and 40 % of it or less is used in both answers (info)",
            "Searches read segments through the operating system's file cache. A heap that was made large for a nightly load"
                + " takes that memory all day.",
            "JDK documentation, SoftMaxHeapSize and ZUncommitDelay; a field report on clusters with large timed updates",
            "memory goes back to the file cache between peaks; the heap may still grow to its maximum"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    long soft = 0;
    for (Node node : snapshot.nodes()) {
      long memory = node.stat("os.mem.total_in_bytes");
      long heap = node.info("jvm.mem.heap_max_in_bytes");
      long before = Json.number(node.first(), "jvm.mem.heap_used_percent");
      long now = node.stat("jvm.mem.heap_used_percent");
      if (node.collector("ZGC")
          && memory > 0
          && heap > memory / 2
          && before > 0
          && Math.max(before, now) <= 40
          && JvmFlags.value(node, "-XX:SoftMaxHeapSize=") == null) {
        soft = Math.max(soft, heap / 2 >> 20);
        diagnosis
            .found(Severity.INFO, node.name())
            .seen(
                node.infoPath("jvm.mem.heap_max_in_bytes"),
                Units.size(heap) + " of " + Units.size(memory))
            .seen(node.statPath("jvm.mem.heap_used_percent"), before + " %, then " + now + " %")
            .weigh(20);
      }
    }
    return diagnosis.saying(
        "ZGC keeps memory on " + diagnosis.names() + " that it does not use.",
        Fix.config(
                "jvm.options",
                List.of(),
                List.of("-XX:SoftMaxHeapSize=" + soft + "m", "-XX:ZUncommitDelay=300"))
            .and("ZGC gives nothing back below -Xms: lower it to the soft maximum."));
  }
}
