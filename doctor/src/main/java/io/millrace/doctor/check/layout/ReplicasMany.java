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

/** Each replica is the whole work of writing once more. */
public final class ReplicasMany extends Rule {
  public ReplicasMany() {
    super(
        new About(
            "replicas-many",
            Area.LAYOUT,
            "Logs have more than one replica",
            "an index whose name says logs or a date, and that is written to, has 2 replicas or more",
            "Every document is parsed and indexed once per copy. One replica bears the loss of a node, which is enough for logs.",
            "a field report: 1 replica for logs, 0 for large volumes that may be lost",
            "a third less work of writing and a third less disk than with two replicas"),
        Probe.INDEX_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.userIndices()) {
      boolean written = index.written() > 0 || index.stats().isMissingNode();
      if (index.logs()
          && written
          && index.replicas() >= 2
          && index.setting("index.auto_expand_replicas") == null) {
        found.add(index);
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(index.settingPath("index.number_of_replicas"), index.replicas())
            .weigh(40);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " is written " + "three times or more.",
        SettingsChange.index(found, Map.of("index.number_of_replicas", "1"))
            .and("Change the template, too."));
  }
}
