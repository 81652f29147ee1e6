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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The flood stage made indices read-only, and older servers never lift it. */
public final class ReadOnlyBlock extends Rule {
  public ReadOnlyBlock() {
    super(
        new About(
            "read-only",
            Area.LAYOUT,
            "Indices refuse writes",
            "index.blocks.read_only_allow_delete is true",
            "A disk reached the flood stage, so the cluster blocked writes of every index on it. Elasticsearch before 7.4 does not lift the block when there is room again.",
            "OpenSearch documentation, cluster.routing.allocation.disk.watermark.flood_stage",
            "writes are taken again"),
        Probe.INDEX_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.indices()) {
      if ("true".equals(index.setting("index.blocks.read_only_allow_delete"))) {
        found.add(index);
        diagnosis
            .found(Severity.ERROR, index.name())
            .seen(index.settingPath("index.blocks.read_only_allow_delete"), true)
            .weigh(90);
      }
    }
    Map<String, @Nullable String> wanted = new TreeMap<>();
    wanted.put("index.blocks.read_only_allow_delete", null);
    return diagnosis.saying(
        diagnosis.names() + " refuses writes.",
        SettingsChange.index(found, wanted)
            .and("Make room on the disk first, or the block comes back."));
  }
}
