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
import io.millrace.doctor.snapshot.Shard;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.Optional;

/** One shard of an index has most of it: routing by a value that most documents share. */
public final class ShardsSkewed extends Rule {
  public ShardsSkewed() {
    super(
        new About(
            "shards-skewed",
            Area.LAYOUT,
            "One shard holds most of its index",
            "the largest primary is above 5 GB and more than 3 times the median of its index",
            "One node does most of the work of this index, and bulks and searches wait for it.",
            "OpenSearch documentation, Routing; index.routing_partition_size",
            "all nodes share the work"),
        Probe.SHARDS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Index index : snapshot.userIndices()) {
      List<Long> sizes =
          index.shards().stream().filter(Shard::primary).map(Shard::bytes).sorted().toList();
      if (sizes.size() > 1) {
        long largest = sizes.getLast();
        long median = sizes.get((sizes.size() - 1) / 2);
        if (largest > Shard.LARGE_BYTES && largest > 3 * Math.max(1, median)) {
          diagnosis
              .found(Severity.WARN, index.name())
              .seen(
                  Shard.SHOWN + ": " + index.name(),
                  Units.size(largest) + ", median " + Units.size(median))
              .weigh(45);
        }
      }
    }
    return diagnosis.saying(
        "The shards of " + diagnosis.names() + " differ widely.",
        Fix.advice(
            "Leave out the routing value, choose one with many values, or set index.routing_partition_size in the template of the next index."));
  }
}
