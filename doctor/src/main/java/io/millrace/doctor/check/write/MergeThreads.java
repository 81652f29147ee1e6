package io.millrace.doctor.check.write;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One merge thread was right for a spinning disk; on an SSD it lets segments pile up. */
public final class MergeThreads extends Rule {
  public MergeThreads() {
    super(
        new About(
            "merge-threads",
            Area.WRITE,
            "Merge threads do not fit the disk",
            "index.merge.scheduler.max_thread_count is 1 in an index written to while segments pile up (50 per shard) on disks that do not spin, or is above 1 on disks that spin",
            "A spinning disk serves one stream well and several badly. An SSD serves many: with one thread merges lag, segments pile up and searches visit each of them.",
            "OpenSearch documentation, index.merge.scheduler.max_thread_count: default max(1, min(4, processors / 2)); 1 for spinning disks",
            "merges keep up; fewer segments per search"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    boolean spins = snapshot.dataNodes().stream().anyMatch(MergeThreads::spins);
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.userIndices()) {
      String threads = index.setting("index.merge.scheduler.max_thread_count");
      long segments = index.stat("primaries.segments.count") / Math.max(1, index.primaries());
      boolean few = "1".equals(threads) && !spins && segments >= 50;
      boolean many = spins && threads != null && !"1".equals(threads);
      if ((few || many) && Written.busy(snapshot, index)) {
        found.add(index);
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(index.settingPath("index.merge.scheduler.max_thread_count"), threads)
            .seen(index.statPath("primaries.segments.count"), segments + " per shard")
            .weigh(40);
      }
    }
    Map<String, @Nullable String> wanted = new TreeMap<>();
    wanted.put("index.merge.scheduler.max_thread_count", spins ? "1" : null);
    return diagnosis.saying(
        "Merge threads of " + diagnosis.names() + " do not fit the disk.",
        SettingsChange.index(found, wanted));
  }

  /** Elasticsearch up to 6 says so. */
  private static boolean spins(Node node) {
    for (JsonNode path : Json.at(node.stats(), "fs.data")) {
      if (path.path("spins").asText("").equals("true")) {
        return true;
      }
    }
    return false;
  }
}
