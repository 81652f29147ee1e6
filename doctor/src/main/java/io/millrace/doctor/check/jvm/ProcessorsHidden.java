package io.millrace.doctor.check.jvm;

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

/** A node that was told of fewer processors than there are leaves the others idle. */
public final class ProcessorsHidden extends Rule {

  public ProcessorsHidden() {
    super(
        new About(
            "processors-hidden",
            Area.JVM,
            "A node uses fewer processors than it has",
            "allocated_processors is less than available_processors",
            "Thread pools, merge threads and the collector are sized by allocated processors; the rest is idle at the daily peak.",
            "OpenSearch documentation: node.processors",
            "pools as large as the machine"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long used = node.info("os.allocated_processors");
      long there = node.info("os.available_processors");
      if (used > 0 && used < there) {
        diagnosis
            .found(Severity.INFO, node.name())
            .seen(node.infoPath("os.allocated_processors"), used + " of " + there);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " was told to use fewer processors.",
        Fix.config(snapshot.product().nodeFile(), List.of("node.processors: ..."), List.of())
            .and("Leave it where several nodes share one machine."));
  }
}
