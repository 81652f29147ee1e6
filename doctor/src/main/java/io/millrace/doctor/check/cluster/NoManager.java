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

/** Without a cluster manager nothing can change. */
public final class NoManager extends Rule {
  public NoManager() {
    super(
        new About(
            "no-manager",
            Area.CLUSTER,
            "There is no cluster manager",
            "cluster health is refused because no cluster manager is known",
            "No index, mapping or shard can change; writes that need one fail, and searches may be of a part only.",
            "OpenSearch documentation, Discovery and cluster formation",
            "the cluster works again"));
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    String why = String.valueOf(snapshot.missing(Probe.HEALTH));
    if (why.contains("HTTP 503")
        || why.contains("not_discovered")
        || why.contains("not discovered")) {
      diagnosis.found(Severity.ERROR, "cluster").seen(Probe.HEALTH.shown(), why).weigh(100);
    }
    return diagnosis.saying(
        "The cluster has no cluster manager.",
        Fix.advice(
            "Start enough of the eligible nodes for a majority, and read their logs for 'not discovered': addresses in discovery.seed_hosts, firewalls, full disks."));
  }
}
