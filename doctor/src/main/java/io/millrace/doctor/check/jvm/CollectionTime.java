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

/** Too large a part of the time goes into collections. */
public final class CollectionTime extends Rule {

  public CollectionTime() {
    super(
        new About(
            "gc-time",
            Area.JVM,
            "Collections take too much of the time",
            "10 % of the time or more in stops for collections (error: 25 %), over the window when it is a minute or more, else since the start (info in the first ten minutes)",
            "While a collection stops the node nothing is written or searched, and other nodes wait for it. Above a"
                + " quarter of the time a node falls out of the cluster sooner or later.",
            "OpenSearch JvmGcMonitorService warns at 50 % of a second and informs at 25 %",
            "the time goes to writing and searching"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      GcTimes young = GcTimes.of(node, "young");
      GcTimes old = GcTimes.of(node, "old");
      // the old figure of CMS counts time in which the application runs
      double share = young.share() + (node.collector("ConcurrentMarkSweep") ? 0 : old.share());
      if (share >= 0.1 && !node.collector("ZGC")) {
        diagnosis
            .found(
                young.starting() ? Severity.INFO : share >= 0.25 ? Severity.ERROR : Severity.WARN,
                node.name())
            .seen(
                node.statPath("jvm.gc.collectors.young.collection_time_in_millis"),
                Units.time(young.millis()) + " in " + Units.time(young.overMillis()))
            .seen(
                node.statPath("jvm.gc.collectors.old.collection_time_in_millis"),
                Units.time(old.millis()) + " in " + Units.time(old.overMillis()))
            .weigh(100 * share + 50);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " spends a tenth of the time or more in collections.",
        Fix.advice(
            "Read the node's GC log: it names the cause of each collection and what it freed."));
  }
}
