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

/** Full collections stop a node for seconds; a healthy one has none. */
public final class FullCollections extends Rule {

  public FullCollections() {
    super(
        new About(
            "full-gc",
            Area.JVM,
            "Full collections again and again",
            "more than 5 collections of the old generation and more than one per hour (error: more than one per 10 minutes); not for CMS, whose cycles are concurrent, below one per minute",
            "A full collection goes through the whole heap while everything stands still: seconds to minutes on large"
                + " heaps. Clients time out, and the node may be taken out of the cluster.",
            "a field report: G1's full collections of tens of seconds made data nodes leave the cluster",
            "no stops of seconds; with a larger young generation an eighth of the full collections"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long count = node.stat("jvm.gc.collectors.old.collection_count");
      double hours = node.uptimeMillis() / 3_600_000.0;
      boolean concurrent = node.collector("ConcurrentMarkSweep");
      double most = concurrent ? 60 : 1;
      if (node.collector("ZGC")
          || node.collector("Shenandoah")
          || count <= 5
          || count <= hours * most) {
        continue;
      }
      long millis = node.stat("jvm.gc.collectors.old.collection_time_in_millis");
      diagnosis
          .found(count > hours * 6 * most ? Severity.ERROR : Severity.WARN, node.name())
          .seen(
              node.statPath("jvm.gc.collectors.old.collection_count"),
              count + " in " + Units.time(node.uptimeMillis()))
          .seen(
              node.statPath("jvm.gc.collectors.old.collection_time_in_millis"),
              Units.time(millis) + ", " + Units.time((double) millis / count) + " each")
          .weigh(80);
    }
    return diagnosis.saying(
        diagnosis.names() + " collects its whole heap again and again.",
        Fix.advice(
            "Read the node's GC log. Usual causes: a tiny young generation, a heap that is nearly full,"
                + " humongous objects under G1. JDK 17 and newer free memory that G1 of JDK 11 keeps."));
  }
}
