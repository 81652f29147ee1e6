package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Shard;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.Optional;

/** A primary without a node: its documents cannot be read or written. */
public final class HealthRed extends Rule {
  public HealthRed() {
    super(
        new About(
            "health-red",
            Area.LAYOUT,
            "Primary shards have no node",
            "the cluster's status is red",
            "Documents of these shards can be neither read nor written, and searches over their indices are incomplete.",
            "OpenSearch documentation, Cluster health",
            "every document can be read again"),
        Probe.HEALTH);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    if (snapshot.get(Probe.HEALTH).path("status").asText().equals("red")) {
      for (Shard shard : snapshot.shards()) {
        if (shard.primary() && shard.unassigned()) {
          diagnosis
              .found(Severity.ERROR, shard.index())
              .seen(shard.path(), shard.state() + " " + shard.unassignedReason());
        }
      }
      if (diagnosis.none()) {
        diagnosis.found(Severity.ERROR, "cluster").seen(Probe.HEALTH.shown() + ": status", "red");
      }
      diagnosis.weigh(100);
    }
    return diagnosis.saying(
        "The cluster is red: " + diagnosis.names() + ".",
        Fix.call("POST", "/_cluster/reroute?retry_failed=true", null, "A retry needs no undo.")
            .and(
                "GET /_cluster/allocation/explain says why. Start the missing node first; the retry helps after the cause is gone."));
  }
}
