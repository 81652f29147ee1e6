package io.millrace.doctor.check.jvm;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.Map;
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
            "heap_used_percent is 90 or more in both answers although a collection ran in between (info: none ran, so it may be garbage; error: 96 or more in any case)",
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
            .found(severity(node, least), node.name())
            .seen(node.statPath("jvm.mem.heap_used_percent"), before + " %, then " + now + " %")
            .seen(node.statPath("jvm.gc.collectors"), collections(node) + " collections in between")
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

  /** The parent breaker counts garbage as well, so a heap without room refuses requests anyway. */
  private static Severity severity(Node node, long least) {
    if (least >= NO_ROOM) {
      return Severity.ERROR;
    }
    return collections(node) > 0 ? Severity.WARN : Severity.INFO;
  }

  private static long collections(Node node) {
    long ran = 0;
    for (Map.Entry<String, JsonNode> collector :
        Json.at(node.stats(), "jvm.gc.collectors").properties()) {
      long before =
          Json.at(node.first(), "jvm.gc.collectors")
              .path(collector.getKey())
              .path("collection_count")
              .asLong(0);
      ran += Math.max(0, collector.getValue().path("collection_count").asLong(0) - before);
    }
    return ran;
  }
}
