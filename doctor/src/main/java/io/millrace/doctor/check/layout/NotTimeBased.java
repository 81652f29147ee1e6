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
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/** Logs in one index for ever cannot be deleted by the day, and every search visits all of them. */
public final class NotTimeBased extends Rule {
  public NotTimeBased() {
    super(
        new About(
            "not-time-based",
            Area.LAYOUT,
            "Logs grow in one index without a date",
            "an index with @timestamp, no date and no rollover in its name is older than 30 days, written to, and larger than 50 GB",
            "Old documents can only be deleted one by one, which costs as much as writing them, and a search for the last hour visits shards that hold years.",
            "OpenSearch documentation, Index rollover and data streams",
            "retention is a delete of an index: one request, no merges"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS,
        Probe.MAPPINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    long now = snapshot.taken().toEpochMilli();
    for (Index index : snapshot.userIndices()) {
      boolean time = !index.mapping().findPath("@timestamp").isMissingNode();
      if (time
          && !index.dated()
          && !index.rolled()
          && index.written() > 0
          && index.ageMillis(now) > 30 * 86_400_000L
          && index.bytes() > 50L << 30) {
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(index.statPath("primaries.store.size_in_bytes"), Units.size(index.bytes()))
            .seen(
                index.settingPath("index.creation_date"), Units.time(index.ageMillis(now)) + " ago")
            .weigh(45);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " grows without end.",
        Fix.advice(
            "Write to a data stream or to an alias with rollover at 30 to 50 GB per primary or a day, and delete old indices by a policy."));
  }
}
