package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.Optional;

/** Replicas are no backup: a wrong delete is repeated on each of them. */
public final class NoSnapshots extends Rule {
  public NoSnapshots() {
    super(
        new About(
            "no-snapshots",
            Area.CLUSTER,
            "No snapshot repository",
            "no repository is registered",
            "A deleted index, a fault of the software or the loss of two nodes cannot be undone.",
            "OpenSearch documentation, Snapshots",
            "yesterday's state can be brought back"),
        Probe.REPOSITORIES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    if (snapshot.get(Probe.REPOSITORIES).isEmpty() && snapshot.get(Probe.REPOSITORIES).isObject()) {
      diagnosis.found(Severity.INFO, "cluster").seen(Probe.REPOSITORIES.shown(), "{}");
    }
    return diagnosis.saying(
        "Nothing is backed up by snapshots.",
        Fix.advice(
            "Register a repository with PUT /_snapshot/NAME and take snapshots by a policy. Logs that may be lost need none."));
  }
}
