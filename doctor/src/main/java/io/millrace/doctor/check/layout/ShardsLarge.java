package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Shard;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/** A shard of hundreds of gigabytes takes hours to move and to recover. */
public final class ShardsLarge extends Rule {
  public ShardsLarge() {
    super(
        new About(
            "shards-large",
            Area.LAYOUT,
            "Shards are very large",
            "a shard is larger than 60 GB, or holds more than 1.5 billion documents (error: more than 2 billion)",
            "It takes hours to copy to another node, its largest segments are never merged again, and one thread searches it. Lucene ends at 2,147,483,519 documents per shard: then every write fails.",
            "OpenSearch documentation, Shards: 10 to 50 GB; Lucene IndexWriter#MAX_DOCS",
            "recovery in minutes; searches use more threads"),
        Probe.SHARDS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Shard shard : snapshot.shards()) {
      if (shard.primary() && (shard.bytes() > 60L << 30 || shard.docs() > Shard.LARGE_DOCS)) {
        diagnosis
            .found(shard.docs() > 2_000_000_000L ? Severity.ERROR : Severity.WARN, shard.index())
            .seen(
                shard.path(),
                Units.size(shard.bytes()) + ", " + Units.number(shard.docs()) + " documents")
            .weigh(50);
      }
    }
    return diagnosis.saying(
        "Shards of " + diagnosis.names() + " are very large.",
        Fix.advice(
            "Roll over at 30 to 50 GB per primary, or split: POST /INDEX/_split/TARGET (the index has to be read-only meanwhile)."));
  }
}
