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
import java.util.Optional;

/** ZGC frees memory while the node runs, so it needs room to run in. */
public final class ZgcHeadroom extends Rule {

  public ZgcHeadroom() {
    super(
        new About(
            "zgc-headroom",
            Area.JVM,
            "ZGC has little room",
            "ZGC runs and the heap is 80 % full or more in both answers",
            "ZGC does its work while threads go on allocating. With little free memory at the start of a cycle they use it"
                + " up before the cycle ends, and then they wait.",
            "JDK documentation, ZGC: the heap must hold the live set and what is allocated while a cycle runs",
            "no allocation stalls at peaks"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long before = Json.number(node.first(), "jvm.mem.heap_used_percent");
      long now = node.stat("jvm.mem.heap_used_percent");
      if (node.collector("ZGC") && Math.min(before, now) >= 80) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.statPath("jvm.mem.heap_used_percent"), before + " %, then " + now + " %")
            .weigh(55);
      }
    }
    return diagnosis.saying(
        "The heap of " + diagnosis.names() + " is too full for ZGC.",
        Fix.advice(
            "Raise -Xmx: under ZGC a heap may be larger than 32 GB without losing compressed references, because ZGC has none. Else use G1."));
  }
}
