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
import java.util.List;
import java.util.Optional;

/** Documents that are only read now and then can be a third smaller. */
public final class CodecDefault extends Rule {
  public CodecDefault() {
    super(
        new About(
            "codec",
            Area.LAYOUT,
            "Large logs are stored with the fast codec",
            "indices of logs without index.codec hold 100 GB or more together",
            "The default codec compresses blocks with LZ4. best_compression, or zstd on OpenSearch 2.9 and newer, takes less disk; writing and reading a document cost more CPU.",
            "OpenSearch documentation, Index codecs; a field report: 35 % less disk for traces",
            "about a third less disk for new segments"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Index> plain =
        snapshot.userIndices().stream()
            .filter(i -> i.logs() && i.setting("index.codec") == null)
            .toList();
    long bytes = plain.stream().mapToLong(Index::bytes).sum();
    if (bytes >= 100L << 30) {
      plain.forEach(i ->
          diagnosis
              .found(Severity.INFO, i.name())
              .seen(i.statPath("primaries.store.size_in_bytes"), Units.size(i.bytes())));
    }
    return diagnosis.saying(
        Units.size(bytes) + " of logs use the default codec.",
        Fix.advice(
            "Put index.codec: best_compression into the template of the next indices; an index that exists has to be closed for it, and only new segments use it."));
  }
}
