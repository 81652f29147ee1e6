package io.millrace.doctor.check.write;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.Optional;

/** A bulk of few documents costs a round trip, a task and a sync for little. */
public final class BulkSmall extends Rule {
  public BulkSmall() {
    super(
        new About(
            "bulk-small",
            Area.WRITE,
            "Bulks are small, or torn apart by many shards",
            "in the window, 200 write tasks per second or more with fewer than 20 documents each",
            "Each shard of a bulk is a task with a queue, a lock and often a sync of its own. Documents come one by one, or a bulk is split over so many shards that each gets a few.",
            "OpenSearch documentation, Tune for indexing speed: use bulk requests; a bulk goes to every shard of its index",
            "the same documents with a fraction of the tasks; on 100 shards one shard request per bulk took a third less CPU"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long tasks = node.grew("thread_pool." + node.writePool() + ".completed");
      long documents = node.grew("indices.indexing.index_total");
      double perSecond = node.windowMillis() <= 0 ? 0 : tasks * 1_000.0 / node.windowMillis();
      // coordination takes tasks of the same pool, so a task may hold no document
      if (perSecond >= 200 && documents > 0 && documents < tasks * 20) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("thread_pool." + node.writePool() + ".completed"),
                Units.number(perSecond) + " per second")
            .seen(
                node.statPath("indices.indexing.index_total"),
                Units.number((double) documents / tasks) + " documents per task")
            .weigh(50);
      }
    }
    return diagnosis.saying(
        "Write tasks of " + diagnosis.names() + " hold few documents.",
        Fix.advice(
            "Let shippers collect 5 to 15 MB or a few seconds per bulk, write with fewer clients, and give the index no more shards than its size needs."));
  }
}
