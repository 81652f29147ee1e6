package io.millrace.doctor.check.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/** Changes of the cluster state queue, so new fields and indices wait, and bulks with them. */
public final class PendingTasks extends Rule {
  public PendingTasks() {
    super(
        new About(
            "pending-tasks",
            Area.CLUSTER,
            "The cluster manager is behind",
            "50 tasks or more wait, or one for 10 s or more (error: 60 s); most of them put-mapping means new fields by the document",
            "Every new field, index and shard goes through one queue. Bulks with new fields hold write threads until their mapping is there.",
            "OpenSearch documentation, Pending cluster tasks",
            "bulks do not wait for mappings"),
        Probe.PENDING);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    JsonNode tasks = snapshot.get(Probe.PENDING).path("tasks");
    long oldest = 0;
    int mappings = 0;
    for (JsonNode task : tasks) {
      oldest = Math.max(oldest, task.path("time_in_queue_millis").asLong());
      mappings += task.path("source").asText().contains("put-mapping") ? 1 : 0;
    }
    if (tasks.size() >= 50 || oldest >= 10_000) {
      diagnosis
          .found(oldest >= 60_000 ? Severity.ERROR : Severity.WARN, "cluster")
          .seen(
              Probe.PENDING.shown() + ": tasks",
              tasks.size() + ", the oldest waits " + Units.time(oldest))
          .seen(Probe.PENDING.shown() + ": put-mapping", mappings)
          .weigh(70);
    }
    String cause = mappings > tasks.size() / 2 ? " Most are new fields: a mapping storm." : "";
    return diagnosis.saying(
        "Changes of the cluster state wait." + cause,
        Fix.advice(
            "Map fields in templates and set dynamic: false where keys are data; create tomorrow's indices ahead; fewer shards make each state cheaper; give the cluster manager a node of its own."));
  }
}
