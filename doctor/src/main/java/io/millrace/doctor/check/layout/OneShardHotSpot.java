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
import java.util.Optional;

/**
 * An index with fewer shards than nodes that takes most writes keeps one node busy and the rest
 * idle.
 */
public final class OneShardHotSpot extends Rule {
  public OneShardHotSpot() {
    super(
        new About(
            "hot-index",
            Area.LAYOUT,
            "One index with few shards takes most writes",
            "with 3 data nodes or more, an index whose shard copies are fewer than half of the data nodes takes 70 % of 5,000 documents per second or more",
            "Only the nodes that hold its shards write; the others are idle while bulks queue.",
            "OpenSearch documentation, Tune for indexing speed",
            "writes are spread over all data nodes"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS,
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    int nodes = snapshot.dataNodes().size();
    long all = snapshot.userIndices().stream().mapToLong(Index::written).sum();
    double perSecond = snapshot.windowMillis() <= 0 ? 0 : all * 1_000.0 / snapshot.windowMillis();
    for (Index index : snapshot.userIndices()) {
      boolean few = index.primaries() * (1 + index.replicas()) * 2 < nodes;
      if (nodes >= 3 && perSecond >= 5_000 && few && index.written() > all * 0.7) {
        diagnosis
            .found(Severity.WARN, index.name())
            .seen(
                index.statPath("primaries.indexing.index_total"),
                "+" + index.written() + " of " + all)
            .seen(
                index.settingPath("index.number_of_shards"),
                index.primaries() + " on " + nodes + " data nodes")
            .weigh(55);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " takes most writes on few nodes.",
        Fix.advice(
            "Set index.number_of_shards to the number of data nodes in its template, and index.routing.allocation.total_shards_per_node to spread them; then roll over."));
  }
}
