package io.millrace.doctor.check.layout;

import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A replica never stands on the node of its primary: with too many, some never find a node. */
public final class ReplicasUnassignable extends Rule {
  public ReplicasUnassignable() {
    super(
        new About(
            "replicas-unassignable",
            Area.LAYOUT,
            "More copies than nodes",
            "with 2 data nodes or more, an index wants more copies of a shard than there are data nodes",
            "The cluster stays yellow for ever, which hides the day on which it is yellow for a reason.",
            "OpenSearch SameShardAllocationDecider: copies of a shard never share a node",
            "green means healthy again"),
        Probe.INDEX_SETTINGS,
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    int nodes = snapshot.dataNodes().size();
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.userIndices()) {
      if (nodes >= 2 && index.replicas() >= nodes) {
        found.add(index);
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(
                index.settingPath("index.number_of_replicas"),
                index.replicas() + " on " + nodes + " data nodes")
            .weigh(35);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " wants more copies than there are nodes.",
        SettingsChange.index(
            found, Map.of("index.number_of_replicas", String.valueOf(Math.max(1, nodes - 1)))));
  }
}
