package io.millrace.doctor.check.write;

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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Two minutes between syncs are two minutes of acknowledged logs that a power failure takes. */
public final class SyncIntervalLong extends Rule {
  public SyncIntervalLong() {
    super(
        new About(
            "sync-interval",
            Area.WRITE,
            "Minutes of acknowledged writes may be lost",
            "durability is async and index.translog.sync_interval is 60 s or more",
            "Between two syncs only the operating system has the operations. Everything since the last one is gone after a power failure of the node and of its replicas.",
            "OpenSearch documentation, index.translog.sync_interval",
            "a power failure takes seconds instead of minutes; the syncs cost almost nothing"),
        Probe.INDEX_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.userIndices()) {
      String interval = index.setting("index.translog.sync_interval");
      if ("async".equals(index.setting("index.translog.durability"))
          && Units.millis(interval) >= 60_000) {
        found.add(index);
        diagnosis
            .found(Severity.INFO, index.name())
            .seen(index.settingPath("index.translog.sync_interval"), interval);
      }
    }
    Map<String, @Nullable String> wanted = new TreeMap<>();
    wanted.put("index.translog.sync_interval", "30s");
    return diagnosis.saying(
        diagnosis.names() + " syncs its translog once a minute or less.",
        SettingsChange.index(found, wanted)
            .and("Servers in which the setting is static ask for a closed index."));
  }
}
