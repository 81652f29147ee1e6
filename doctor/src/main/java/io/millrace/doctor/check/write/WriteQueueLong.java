package io.millrace.doctor.check.write;

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
import java.util.Optional;

/** Writes wait longer and longer: the node takes less than it is sent. */
public final class WriteQueueLong extends Rule {
  public WriteQueueLong() {
    super(
        new About(
            "write-queue-long",
            Area.WRITE,
            "Writes wait in the queue",
            "in both answers the queue of writes holds half of its places or more, or more than 500",
            "What waits is not searchable and holds heap. The queue will be full soon, and then bulks are rejected.",
            "OpenSearch documentation, Thread pools",
            "bulks are answered in the time that they take"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      String path = "thread_pool." + node.writePool() + ".queue";
      long before = Json.number(node.first(), path);
      long now = node.stat(path);
      long size = node.info(path + "_size");
      long least = Math.min(before, now);
      if (least > 0 && (least > 500 || (size > 0 && least >= size / 2))) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.statPath(path), before + ", then " + now + (size > 0 ? " of " + size : ""))
            .weigh(65);
      }
    }
    return diagnosis.saying(
        "Writes wait on " + diagnosis.names() + ".",
        Fix.advice(
            "Fewer clients with larger bulks; look at refresh, merges and disks first, then add a data node."));
  }
}
