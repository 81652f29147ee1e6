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

/** Small segments are often the work of the flush threshold, not of refresh. */
public final class FlushFrequent extends Rule {
  public FlushFrequent() {
    super(
        new About(
            "flush-frequent",
            Area.WRITE,
            "Shards commit all the time",
            "in a window of 30 s or more, an index flushed more than 10 times per minute and primary shard",
            "A flush is a commit of Lucene: it syncs files and cuts the buffer, so segments stay small, look-ups of ids slow"
                + " down and merges have more to do.",
            "a field report: with 512 MB, segments of a 10-million-document load were far smaller than the index buffer allowed",
            "fewer and larger segments"),
        Probe.INDEX_STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    double minutes = snapshot.windowMillis() / 60_000.0;
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.userIndices()) {
      double rate =
          minutes < 0.5
              ? 0
              : index.grew("primaries.flush.total") / minutes / Math.max(1, index.primaries());
      if (rate > 10) {
        found.add(index);
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(
                index.statPath("primaries.flush.total"),
                "+"
                    + index.grew("primaries.flush.total")
                    + ", "
                    + Units.number(rate)
                    + " per minute and shard")
            .weigh(40);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " commits all the time.",
        SettingsChange.index(found, Map.of("index.translog.flush_threshold_size", "1gb"))
            .and("Ask clients not to call _flush."));
  }
}
