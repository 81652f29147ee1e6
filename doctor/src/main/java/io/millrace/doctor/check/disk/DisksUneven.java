package io.millrace.doctor.check.disk;

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

/** The fullest disk decides when the cluster refuses writes. */
public final class DisksUneven extends Rule {
  public DisksUneven() {
    super(
        new About(
            "disks-uneven",
            Area.DISK,
            "Disks are filled unevenly",
            "of two data nodes or more, the fullest disk is used 25 points more than the emptiest, and 60 % or more",
            "The fullest disk reaches the watermarks while others have room, and its node does most of the work.",
            "OpenSearch documentation, Disk-based shard allocation",
            "the whole space can be used"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    double least = snapshot.dataNodes().stream().mapToDouble(DisksUneven::used).min().orElse(0);
    for (Node node : snapshot.dataNodes()) {
      double used = used(node);
      if (snapshot.dataNodes().size() > 1 && used >= 0.6 && used - least >= 0.25) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("fs.total"),
                Units.percent(used) + " used, the emptiest " + Units.percent(least))
            .weigh(35);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " is far fuller than others.",
        Fix.advice(
            "Give nodes disks of one size, look for an index with one large shard (shards-skewed), and lower cluster.routing.allocation.disk.watermark.low so that shards move earlier."));
  }

  private static double used(Node node) {
    long total = node.stat("fs.total.total_in_bytes");
    return total <= 0 ? 0 : 1 - (double) node.stat("fs.total.available_in_bytes") / total;
  }
}
