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

/** Somebody switched allocation off for a restart and never on again. */
public final class AllocationDisabled extends Rule {
  public AllocationDisabled() {
    super(
        new About(
            "allocation-disabled",
            Area.LAYOUT,
            "Shards are not allocated",
            "cluster.routing.allocation.enable or cluster.routing.rebalance.enable is not all",
            "After the loss of a node its replicas are not made anew, and new indices may find no place. Usually it was set for a restart and forgotten.",
            "OpenSearch documentation, Rolling upgrade",
            "lost copies are made anew by themselves"),
        Probe.CLUSTER_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Map<String, @Nullable String> wanted = new TreeMap<>();
    for (String key :
        List.of("cluster.routing.allocation.enable", "cluster.routing.rebalance.enable")) {
      String value = snapshot.clusterSetting(key);
      if (value != null && !value.equalsIgnoreCase("all")) {
        wanted.put(key, null);
        diagnosis
            .found(key.contains("rebalance") ? Severity.INFO : Severity.WARN, "cluster")
            .seen(Probe.CLUSTER_SETTINGS.shown() + ": " + key, value)
            .weigh(65);
      }
    }
    return diagnosis.saying(
        "Allocation of shards is switched off in part.", SettingsChange.cluster(snapshot, wanted));
  }
}
