package io.millrace.doctor.check.write;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.Optional;

/** Each search visits every segment, each look-up of an id too. */
public final class SegmentsMany extends Rule {
  public SegmentsMany() {
    super(
        new About(
            "segments-many",
            Area.WRITE,
            "Segments pile up",
            "an index has more than 100 segments per primary shard",
            "Merges do not keep up with what refreshes and flushes write. Searches, look-ups of ids and updates visit each segment, so all of them slow down with their number.",
            "a field report: look-ups of document versions grew with the segments that one merge thread left behind",
            "searches and updates visit a few dozen segments"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      long segments = index.stat("primaries.segments.count") / Math.max(1, index.primaries());
      if (segments > 100) {
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(index.statPath("primaries.segments.count"), segments + " per shard")
            .seen(
                index.statPath("primaries.merges.current"), index.stat("primaries.merges.current"))
            .weigh(Math.min(70, segments / 5.0));
      }
    }
    return diagnosis.saying(
        "Segments pile up in " + diagnosis.names() + ".",
        Fix.advice(
            "Raise index.refresh_interval and the flush threshold, remove index.merge.scheduler.max_thread_count: 1 on SSDs, and look whether disks are slow (disk-busy)."));
  }
}
