package io.millrace.doctor.check.search;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/** The breaker refused a request instead of letting the node die. */
public final class BreakersTripped extends Rule {
  public BreakersTripped() {
    super(
        new About(
            "breakers-tripped",
            Area.SEARCH,
            "Circuit breakers refuse requests",
            "a breaker has tripped since the node started (error: also in the window)",
            "Requests would have taken more heap than there is. Clients see HTTP 429 or 503; in bulks single items fail.",
            "OpenSearch documentation, Circuit breaker settings",
            "requests fit the heap"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      node.stats()
          .path("breakers")
          .fieldNames()
          .forEachRemaining(name -> {
            String path = "breakers." + name + ".tripped";
            if (node.stat(path) > 0) {
              diagnosis
                  .found(node.grew(path) > 0 ? Severity.ERROR : Severity.WARN, node.name())
                  .seen(node.statPath(path), Units.number(node.stat(path)))
                  .weigh(55);
            }
          });
    }
    return diagnosis.saying(
        "Breakers tripped on " + diagnosis.names() + ".",
        Fix.advice(
            "parent: the heap is full (heap-pressure). request: aggregations with many buckets. fielddata: text fields (text-fielddata). in_flight_requests: bulks that are too large. Raising a limit moves the failure to the heap."));
  }
}
