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

/** Above the watermarks shards are moved, then indices become read-only. */
public final class DiskWatermark extends Rule {
  public DiskWatermark() {
    super(
        new About(
            "disk-full",
            Area.DISK,
            "Disks are nearly full",
            "a data node's disk is used to the low watermark (85 % unless set); error: to the high one (90 %)",
            "At the low mark a node takes no new shards, at the high one its shards are moved away, at the flood stage (95 %) all its indices refuse writes.",
            "OpenSearch documentation, cluster.routing.allocation.disk.watermark",
            "writes go on"),
        Probe.STATS,
        Probe.CLUSTER_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    if ("false"
        .equals(snapshot.clusterSetting("cluster.routing.allocation.disk.threshold_enabled"))) {
      return Optional.empty();
    }
    for (Node node : snapshot.dataNodes()) {
      long total = node.stat("fs.total.total_in_bytes");
      long free = node.stat("fs.total.available_in_bytes");
      if (total > 0 && over(snapshot, node, "low", "85%", total, free)) {
        boolean high = over(snapshot, node, "high", "90%", total, free);
        diagnosis
            .found(high ? Severity.ERROR : Severity.WARN, node.name())
            .seen(
                node.statPath("fs.total.available_in_bytes"),
                Units.size(free)
                    + " of "
                    + Units.size(total)
                    + ", "
                    + Units.percent(1 - (double) free / total)
                    + " used")
            .weigh(high ? 95 : 60);
      }
    }
    return diagnosis.saying(
        "The disk of " + diagnosis.names() + " is nearly full.",
        Fix.advice(
            "Delete the oldest indices, lower replicas of logs to 1, put index.codec: best_compression into templates, or add disks."));
  }

  private static boolean over(
      Snapshot snapshot, Node node, String mark, String standard, long total, long free) {
    String key = "cluster.routing.allocation.disk.watermark." + mark;
    String set = snapshot.clusterSetting(key);
    String value =
        set != null
            ? set
            : node.setting(key) != null ? String.valueOf(node.setting(key)) : standard;
    if (value.matches("\\d{1,3}(\\.\\d+)?%")) {
      return total - free
          >= total * Double.parseDouble(value.substring(0, value.length() - 1)) / 100;
    }
    return Units.bytes(value) >= 0 && free <= Units.bytes(value);
  }
}
