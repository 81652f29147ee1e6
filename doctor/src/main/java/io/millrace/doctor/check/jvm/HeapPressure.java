package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Call;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;

/** The heap stays nearly full: collections run one after the other and free little. */
public final class HeapPressure extends Rule {
  private static final int FULL = 90;
  private static final int NO_ROOM = 96;

  public HeapPressure() {
    super(
        new About(
            "heap-pressure",
            Area.JVM,
            "The heap is nearly full",
            "heap_used_percent is 90 or more in both answers (error: 96 or more)",
            "Little is left for the next bulk or search: collections come one after the other, circuit breakers refuse"
                + " requests, and the node is close to an OutOfMemoryError.",
            "OpenSearch documentation, Nodes stats: jvm.mem; parent circuit breaker at 95 % of the heap",
            "collections find free memory; requests are not refused by the parent breaker"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long before = Json.number(node.first(), "jvm.mem.heap_used_percent");
      long now = node.stat("jvm.mem.heap_used_percent");
      long least = node.first().isMissingNode() ? now : Math.min(before, now);
      if (least >= FULL) {
        diagnosis
            .found(least >= NO_ROOM ? Severity.ERROR : Severity.WARN, node.name())
            .seen(node.statPath("jvm.mem.heap_used_percent"), before + " %, then " + now + " %")
            .weigh(least);
      }
    }
    return diagnosis.saying(
        "The heap of " + diagnosis.names() + " stays nearly full.",
        new Fix(
            List.of(new Call("POST", "/_cache/clear?fielddata=true", null)),
            null,
            "Find what holds it: many shards, field data of text fields, large aggregations, large bulks. Clearing field"
                + " data helps for minutes only. Then give the node more heap (up to half of the memory) or fewer shards.",
            List.of(),
            "Cleared caches fill again by themselves."));
  }
}
