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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What async loses is fine for logs and not for orders. */
public final class DurabilityAsync extends Rule {
  public DurabilityAsync() {
    super(
        new About(
            "durability-async",
            Area.WRITE,
            "Acknowledged writes may be lost",
            "index.translog.durability is async in an index whose name does not say logs, traces, metrics or a date",
            "The node acknowledges before the disk has the operation: after a power failure up to index.translog.sync_interval"
                + " (5 s unless set) of acknowledged documents is gone. Logs can bear that; orders and users cannot.",
            "OpenSearch documentation, index.translog.durability",
            "what was acknowledged survives a power failure; with bulks of 1,000 documents it costs almost no CPU"),
        Probe.INDEX_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.userIndices()) {
      if ("async".equalsIgnoreCase(index.setting("index.translog.durability")) && !index.logs()) {
        found.add(index);
        String interval = index.setting("index.translog.sync_interval");
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(
                index.settingPath("index.translog.durability"),
                "async, synced each " + (interval == null ? "5s" : interval))
            .weigh(70);
      }
    }
    Map<String, @Nullable String> wanted = new TreeMap<>();
    wanted.put("index.translog.durability", null);
    return diagnosis.saying(
        diagnosis.names() + " acknowledges writes that the disk does not have.",
        SettingsChange.index(found, wanted));
  }
}
