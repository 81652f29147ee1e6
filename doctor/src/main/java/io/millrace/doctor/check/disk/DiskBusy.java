package io.millrace.doctor.check.disk;

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
import java.util.Optional;

/** A disk that works all the time makes merges, flushes and searches wait. */
public final class DiskBusy extends Rule {
  public DiskBusy() {
    super(
        new About(
            "disk-busy",
            Area.DISK,
            "A disk works without a pause",
            "in a window of 30 s or more, io_time_in_millis grew by 95 % of it on one device or more; Linux, OpenSearch 1 to 3 and Elasticsearch 7.14 and newer",
            "Requests to the disk queue. Merges lag, flushes block writes, and cold searches take seconds.",
            "Linux kernel documentation, iostats: time spent doing I/O",
            "the disk is no longer the limit"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long busy = node.grew("fs.io_stats.total.io_time_in_millis");
      int devices = Math.max(1, Json.at(node.stats(), "fs.io_stats.devices").size());
      if (node.windowMillis() >= 30_000 && busy >= 0.95 * node.windowMillis() * devices) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("fs.io_stats.total.io_time_in_millis"),
                "+" + Units.time(busy) + " in " + Units.time(node.windowMillis()))
            .weigh(55);
      }
    }
    return diagnosis.saying(
        "The disk of " + diagnosis.names() + " is busy all the time.",
        Fix.advice(
            "Raise the refresh interval and the flush threshold, compress more, use local SSDs, or add nodes."));
  }
}
