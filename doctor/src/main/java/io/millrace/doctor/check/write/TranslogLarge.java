package io.millrace.doctor.check.write;

import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Call;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.Optional;

/** A translog that is not trimmed takes disk, and a restart replays it. */
public final class TranslogLarge extends Rule {
  public TranslogLarge() {
    super(
        new About(
            "translog-large",
            Area.WRITE,
            "The translog is not trimmed",
            "uncommitted operations of an index are more than twice its flush threshold per primary, or its translog is above 10 GB per primary",
            "Flushes fail or lag. After a restart the shard replays all of it before it answers.",
            "OpenSearch documentation, Translog: flush threshold",
            "a shard starts in seconds"),
        Probe.INDEX_STATS,
        Probe.INDEX_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      long open =
          index.stat("primaries.translog.uncommitted_size_in_bytes")
              / Math.max(1, index.primaries());
      long all = index.stat("primaries.translog.size_in_bytes") / Math.max(1, index.primaries());
      long threshold =
          Math.max(512L << 20, Units.bytes(index.setting("index.translog.flush_threshold_size")));
      if (open > 2 * threshold || all > 10L << 30) {
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(
                index.statPath("primaries.translog.uncommitted_size_in_bytes"),
                Units.size(open) + " per shard")
            .seen(
                index.statPath("primaries.translog.size_in_bytes"), Units.size(all) + " per shard")
            .weigh(50);
      }
    }
    List<Call> calls =
        SettingsChange.targets(diagnosis.subjects()).stream()
            .map(t -> new Call("POST", "/" + t + "/_flush", null))
            .toList();
    return diagnosis.saying(
        "The translog of " + diagnosis.names() + " is large.",
        new Fix(
            calls,
            null,
            "Look into the node's log for failed flushes, and at index.translog.retention.size on Elasticsearch 6 and 7.",
            List.of(),
            "A flush needs no undo."));
  }
}
