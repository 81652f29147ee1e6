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

/** Small bulks on log indices pay a sync each; logs that can be sent again need none. */
public final class DurabilityRequest extends Rule {
  public DurabilityRequest() {
    super(
        new About(
            "durability-request",
            Area.WRITE,
            "Log indices sync the disk for each small bulk",
            "an index of logs is written with fewer than 50 documents per write task, 100 tasks per second or more, and syncs on every request",
            "Each task on a shard waits for the disk. With large bulks that costs little; with small ones on slow disks it is most of the time.",
            "OpenSearch documentation, index.translog.durability; a field report set async for logs",
            "writing no longer waits for the disk; a power failure may lose the last 5 s"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    long tasks =
        snapshot.nodes().stream()
            .mapToLong(n -> n.grew("thread_pool." + n.writePool() + ".completed"))
            .sum();
    long written = snapshot.indices().stream().mapToLong(Index::written).sum();
    double perSecond = snapshot.windowMillis() <= 0 ? 0 : tasks * 1_000.0 / snapshot.windowMillis();
    if (perSecond < 100 || written >= tasks * 50) {
      return Optional.empty();
    }
    List<Index> found = new ArrayList<>();
    for (Index index : snapshot.userIndices()) {
      if (index.logs()
          && index.written() > written / 20
          && !"async".equals(index.setting("index.translog.durability"))) {
        found.add(index);
        diagnosis
            .found(Severity.INFO, index.name())
            .seen(index.statPath("primaries.indexing.index_total"), "+" + index.written())
            .seen(
                Probe.STATS.shown() + ": nodes.*.thread_pool.write.completed",
                Units.number(perSecond) + " per second");
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " waits for the disk at each small bulk.",
        SettingsChange.index(found, Map.of("index.translog.durability", "async"))
            .and("Larger bulks are the better cure: they lose nothing."));
  }
}
