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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Shards that are spread unevenly make one node the slowest of all. */
public final class ShardsUneven extends Rule {
  public ShardsUneven() {
    super(
        new About(
            "shards-uneven",
            Area.LAYOUT,
            "Shards are spread unevenly",
            "the data node with most shards has twice as many as the one with fewest and at least 20 more",
            "The node with most shards is the slowest answer of every search and the fullest disk.",
            "OpenSearch documentation, cluster.routing.allocation.balance",
            "nodes share shards and work"),
        Probe.SHARDS,
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Map<String, Long> counts = new TreeMap<>();
    snapshot.dataNodes().forEach(node -> counts.put(node.name(), 0L));
    snapshot.shards().stream()
        .filter(s -> counts.containsKey(s.node()))
        .forEach(s -> counts.merge(s.node(), 1L, Long::sum));
    long least = counts.values().stream().mapToLong(Long::longValue).min().orElse(0);
    counts.forEach((node, count) -> {
      if (counts.size() > 1 && count >= 2 * least && count >= least + 20) {
        diagnosis
            .found(Severity.WARN, node)
            .seen(Shard.SHOWN + ": shards on " + node, count + ", the fewest are " + least)
            .weigh(30);
      }
    });
    return diagnosis.saying(
        diagnosis.names() + " holds far more shards than others.",
        Fix.advice(
            "GET /_cluster/allocation/explain for one of its shards says what keeps it there: filters, watermarks, or rebalancing that is switched off."));
  }
}
