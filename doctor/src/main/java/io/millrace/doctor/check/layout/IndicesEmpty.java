package io.millrace.doctor.check.layout;

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
import java.util.List;
import java.util.Optional;

/** Shards without documents cost what shards cost. */
public final class IndicesEmpty extends Rule {
  public IndicesEmpty() {
    super(
        new About(
            "indices-empty",
            Area.LAYOUT,
            "Many indices are empty",
            "20 indices or more hold no document and are older than a day (warn: 100)",
            "An empty shard takes heap, files and a part of every cluster state as a full one does.",
            "Elasticsearch guide, Size your shards: delete empty or unneeded indices",
            "fewer shards"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    long now = snapshot.taken().toEpochMilli();
    List<Index> empty =
        snapshot.userIndices().stream()
            .filter(
                i -> !i.stats().isMissingNode() && i.docs() == 0 && i.ageMillis(now) > 86_400_000L)
            .toList();
    if (empty.size() >= 20) {
      empty.forEach(i ->
          diagnosis
              .found(empty.size() >= 100 ? Severity.WARN : Severity.INFO, i.name())
              .seen(i.statPath("primaries.docs.count"), 0));
    }
    return diagnosis.saying(
        empty.size() + " indices are empty.",
        Fix.advice(
            "Delete them with DELETE /NAME after a look at who writes to them; an index cannot be brought back."));
  }
}
