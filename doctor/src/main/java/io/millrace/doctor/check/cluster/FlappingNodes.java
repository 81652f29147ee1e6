package io.millrace.doctor.check.cluster;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.List;
import java.util.Optional;

/** A node that keeps restarting moves shards each time. */
public final class FlappingNodes extends Rule {
  public FlappingNodes() {
    super(
        new About(
            "flapping-nodes",
            Area.CLUSTER,
            "A node restarted, or came and went",
            "a node was in one of the two answers only (error), or runs for less than an hour while the median runs for a day or more",
            "Its shards are promoted elsewhere and copied back. When it happens again and again, copying takes the disks and the network.",
            "OpenSearch documentation, index.unassigned.node_left.delayed_timeout",
            "shards stay where they are"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    JsonNode first = snapshot.first(Probe.STATS).path("nodes");
    JsonNode last = snapshot.get(Probe.STATS).path("nodes");
    if (!snapshot.first(Probe.STATS).isMissingNode()) {
      first.fieldNames().forEachRemaining(id -> gone(diagnosis, id, first, last));
      last.fieldNames().forEachRemaining(id -> gone(diagnosis, id, last, first));
    }
    List<Long> uptimes = snapshot.nodes().stream().map(Node::uptimeMillis).sorted().toList();
    long median = uptimes.isEmpty() ? 0 : uptimes.get(uptimes.size() / 2);
    for (Node node : snapshot.nodes()) {
      if (median > 86_400_000L && node.uptimeMillis() > 0 && node.uptimeMillis() < 3_600_000L) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("jvm.uptime_in_millis"),
                Units.time(node.uptimeMillis()) + ", the others " + Units.time(median))
            .weigh(40);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " came and went.",
        Fix.advice(
            "Read the node's log before its end: OutOfMemoryError, the kernel's OOM killer (dmesg), long collections, a full disk."));
  }

  private static void gone(Diagnosis diagnosis, String id, JsonNode in, JsonNode notIn) {
    if (!notIn.has(id)) {
      String name = in.path(id).path("name").asText(id);
      diagnosis
          .found(Severity.ERROR, name)
          .seen(Probe.STATS.shown() + ": nodes." + name, "in one of two answers")
          .weigh(90);
    }
  }
}
