package io.millrace.doctor.check.layout;

import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Shard;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A copy without a node: the next failure makes it red. */
public final class HealthYellow extends Rule {
  public HealthYellow() {
    super(
        new About(
            "health-yellow",
            Area.LAYOUT,
            "Replicas have no node",
            "replicas are unassigned (info: the cluster has one data node; warn: it has more)",
            "These shards exist once. When their node is lost, so are their documents.",
            "OpenSearch documentation, Cluster health",
            "a node may fail without loss"),
        Probe.HEALTH,
        Probe.SHARDS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Index> alone = new ArrayList<>();
    boolean one = snapshot.dataNodes().size() <= 1;
    if (snapshot.get(Probe.HEALTH).path("status").asText().equals("yellow")) {
      for (Shard shard : snapshot.shards()) {
        if (!shard.primary() && shard.unassigned()) {
          diagnosis
              .found(one ? Severity.INFO : Severity.WARN, shard.index())
              .seen(shard.path(), "replica unassigned " + shard.unassignedReason());
        }
      }
      snapshot.indices().stream()
          .filter(i -> diagnosis.subjects().contains(i.name()) && !i.system())
          .forEach(alone::add);
      diagnosis.weigh(60);
    }
    Fix fix =
        one && !alone.isEmpty()
            ? SettingsChange.index(alone, Map.of("index.number_of_replicas", "0"))
                .and(
                    "Where the documents matter, add a node. Where they may be lost, keep no replica of them.")
            : Fix.call(
                    "POST", "/_cluster/reroute?retry_failed=true", null, "A retry needs no undo.")
                .and(
                    "GET /_cluster/allocation/explain says why: a missing node, a full disk, a filter.");
    return diagnosis.saying("Replicas of " + diagnosis.names() + " have no node.", fix);
  }
}
