package io.millrace.doctor.check.layout;

import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A filter that once emptied a node keeps it empty for ever. */
public final class ExcludedNodes extends Rule {
  public ExcludedNodes() {
    super(
        new About(
            "excluded-nodes",
            Area.LAYOUT,
            "Nodes are excluded from allocation",
            "cluster.routing.allocation.exclude has a value",
            "Shards leave the nodes that it names. A filter that was left behind keeps a repaired node idle.",
            "OpenSearch documentation, Cluster-level shard allocation filtering",
            "every data node takes shards"),
        Probe.CLUSTER_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Map<String, @Nullable String> wanted = new TreeMap<>();
    for (String scope : List.of("persistent", "transient")) {
      snapshot
          .get(Probe.CLUSTER_SETTINGS)
          .path(scope)
          .properties()
          .forEach(entry -> {
            if (entry.getKey().startsWith("cluster.routing.allocation.exclude.")
                && !entry.getValue().asText().isEmpty()) {
              wanted.put(entry.getKey(), null);
              diagnosis
                  .found(Severity.INFO, entry.getValue().asText())
                  .seen(
                      Probe.CLUSTER_SETTINGS.shown() + ": " + entry.getKey(),
                      entry.getValue().asText());
            }
          });
    }
    return diagnosis.saying(
        "Shards keep away from " + diagnosis.names() + ".",
        SettingsChange.cluster(snapshot, wanted).and("Leave it while the node is being emptied."));
  }
}
