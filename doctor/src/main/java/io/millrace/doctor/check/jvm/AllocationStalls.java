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

/** ZGC makes single threads wait when it cannot free memory as fast as it is asked for. */
public final class AllocationStalls extends Rule {

  public AllocationStalls() {
    super(
        new About(
            "zgc-stalls",
            Area.JVM,
            "Threads wait for memory under ZGC",
            "a collector of the node stats whose name holds Stall has a count above 0",
            "ZGC hardly stops a node, but a thread that finds no memory waits for the end of a cycle. The pause figures"
                + " stay at zero while searches take seconds, and threads that go on reach the circuit breakers.",
            "a field report on ZGC for Elasticsearch: allocation stalls, their effect on p99 and the flags below",
            "cycles start earlier and end sooner; no thread waits"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      Json.at(node.stats(), "jvm.gc.collectors")
          .properties()
          .forEach(entry -> {
            long count = entry.getValue().path("collection_count").asLong();
            if (entry.getKey().contains("Stall") && count > 0) {
              long millis = entry.getValue().path("collection_time_in_millis").asLong();
              diagnosis
                  .found(millis > 10_000 ? Severity.ERROR : Severity.WARN, node.name())
                  .seen(
                      node.statPath("jvm.gc.collectors." + entry.getKey()),
                      count + " stalls, " + Units.time(millis))
                  .weigh(75);
            }
          });
    }
    return diagnosis.saying(
        "Threads of " + diagnosis.names() + " waited for memory.",
        Fix.config("jvm.options", List.of(), List.of("-XX:ZAllocationSpikeTolerance=5"))
            .and(
                "Give the heap more room (-Xmx) where memory is left, and raise -XX:ConcGCThreads by half where processors are idle."));
  }
}
