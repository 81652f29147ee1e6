package io.millrace.doctor.check.write;

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
import java.util.List;
import java.util.Optional;

/** The server refuses bulks because their bytes would fill the heap. */
public final class IndexingPressure extends Rule {
  public IndexingPressure() {
    super(
        new About(
            "indexing-pressure",
            Area.WRITE,
            "Bulks are refused for their bytes",
            "indexing_pressure has counted rejections",
            "Bulks in flight may take 10 % of the heap per stage. Above that a node refuses with HTTP 429 although its queue has room.",
            "OpenSearch documentation, indexing_pressure.memory.limit",
            "bulks in flight fit the limit"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      for (String stage :
          List.of("coordinating_rejections", "primary_rejections", "replica_rejections")) {
        String path = "indexing_pressure.memory.total." + stage;
        if (node.stat(path) > 0) {
          diagnosis
              .found(node.grew(path) > 0 ? Severity.ERROR : Severity.WARN, node.name())
              .seen(node.statPath(path), node.stat(path))
              .weigh(65);
        }
      }
    }
    return diagnosis.saying(
        "Bulks in flight were too many bytes for " + diagnosis.names() + ".",
        Fix.advice(
            "Smaller bulks (5 to 15 MB) from fewer clients that wait for each answer; more heap. Raise indexing_pressure.memory.limit only where the heap has room."));
  }
}
