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
import io.millrace.doctor.unit.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A document that exists once is lost with its node. */
public final class ReplicasNone extends Rule {
  public ReplicasNone() {
    super(
        new About(
            "replicas-none",
            Area.LAYOUT,
            "Documents exist once",
            "a cluster of 2 data nodes or more has an index with documents and without replicas (info for names of logs or dates)",
            "When the node that holds a shard is lost, its documents are.",
            "OpenSearch documentation, index.number_of_replicas",
            "a node may fail without loss; writing costs twice the work"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS,
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.userIndices()) {
      boolean expands =
          index.setting("index.auto_expand_replicas") != null
              && !"false".equals(index.setting("index.auto_expand_replicas"));
      boolean remote =
          "true".equals(index.setting("index.remote_store.enabled"))
              || index.setting("index.store.type") != null
                  && String.valueOf(index.setting("index.store.type")).contains("snapshot");
      if (snapshot.dataNodes().size() >= 2
          && index.replicas() == 0
          && index.docs() > 0
          && !expands
          && !remote) {
        found.add(index);
        diagnosis
            .found(index.logs() ? Severity.INFO : Severity.WARN, index.name())
            .seen(index.settingPath("index.number_of_replicas"), 0)
            .seen(index.statPath("primaries.docs.count"), Units.number(index.docs()))
            .weigh(60);
      }
    }
    return diagnosis.saying(
        "Documents of " + diagnosis.names() + " exist once.",
        SettingsChange.index(found, Map.of("index.number_of_replicas", "1")));
  }
}
