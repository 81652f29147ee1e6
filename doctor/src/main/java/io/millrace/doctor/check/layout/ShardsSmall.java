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

/** Five shards for less than a gigabyte: five times the cost of one. */
public final class ShardsSmall extends Rule {
  public ShardsSmall() {
    super(
        new About(
            "shards-small",
            Area.LAYOUT,
            "Many small shards",
            "indices of more than one primary are older than a day and have less than 1 GB per primary, 20 such shards or more (warn: 200 or more)",
            "A search visits every shard and a bulk is torn over them. Small shards pay the fixed cost of a shard for little.",
            "OpenSearch documentation, Shards: 10 to 50 GB; a field report took 5 primaries to 3 for indices below 15 GB",
            "searches and bulks visit fewer shards; less heap"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    long now = snapshot.taken().toEpochMilli();
    List<Index> small =
        snapshot.userIndices().stream()
            .filter(i ->
                i.primaries() > 1
                    && i.ageMillis(now) > 86_400_000L
                    && i.bytes() / i.primaries() < 1L << 30)
            .toList();
    long shards = small.stream().mapToLong(Index::primaries).sum();
    if (shards >= 20) {
      for (Index index : small) {
        diagnosis
            .found(shards >= 200 ? Severity.WARN : Severity.INFO, index.name())
            .seen(
                index.statPath("primaries.store.size_in_bytes"),
                Units.size(index.bytes()) + " in " + index.primaries() + " primaries")
            .weigh(40);
      }
    }
    return diagnosis.saying(
        Units.number(shards) + " primaries of " + diagnosis.names() + " hold less than 1 GB each.",
        Fix.advice(
            "Set index.number_of_shards: 1 in their templates; the number of an index that exists changes with POST /INDEX/_shrink/TARGET only."));
  }
}
