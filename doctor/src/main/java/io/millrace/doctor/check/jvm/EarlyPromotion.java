package io.millrace.doctor.check.jvm;

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

/** Young objects are moved to the old generation because they had no time to die. */
public final class EarlyPromotion extends Rule {

  public EarlyPromotion() {
    super(
        new About(
            "early-promotion",
            Area.JVM,
            "Objects are promoted before they die",
            "in the window, 3 young collections or more moved 5 % of the young generation each, under a collector with fixed generations",
            "The old generation takes the place of the young one: it fills with objects that live for seconds, and each"
                + " of its collections is long and frees little, because new ones arrive meanwhile.",
            "a field report: 68 MB per young collection before, 8 MB after the young generation was made larger",
            "an eighth of the bytes promoted; full collections become rare"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long collections = node.grew("jvm.gc.collectors.young.collection_count");
      long moved = node.grew("jvm.mem.pools.old.used_in_bytes");
      long young = node.stat("jvm.mem.pools.young.max_in_bytes");
      boolean fixed = node.collector("ParNew") || node.collector("PS ") || node.collector("Copy");
      if (fixed && collections >= 3 && young > 0 && moved / collections > young / 20) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("jvm.mem.pools.old.used_in_bytes"),
                "+" + Units.size(moved) + " in " + Units.time(node.windowMillis()))
            .seen(node.statPath("jvm.gc.collectors.young.collection_count"), "+" + collections)
            .weigh(60);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " promotes what is about to die.",
        Fix.advice(
            "Make the young generation larger: -XX:NewSize and -XX:MaxNewSize of half of the heap, then look again with --watch 5m."));
  }
}
