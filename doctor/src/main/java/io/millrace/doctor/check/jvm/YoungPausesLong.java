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

/** A share of the time may look harmless while every single stop delays each search it meets. */
public final class YoungPausesLong extends Rule {
  private static final int ENOUGH = 10;
  private static final double LONG_MILLIS = 200;

  public YoungPausesLong() {
    super(
        new About(
            "young-gc-long",
            Area.JVM,
            "Young collections stop the node for long",
            "10 young collections or more take 200 ms or more each on average, over the window when it is a minute or more, else since the start (info in the first ten minutes); not ZGC",
            "A search that meets one takes that much longer, so the slowest hundredth of all searches is as slow as the"
                + " collector, however few documents it reads.",
            "a field report: pauses of 200 ms on average and of more than a second, with heaps of 112 GB under G1",
            "pauses below 10 ms under ZGC (the field report: p99 from 800 to 30 ms), for some percent of CPU"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      GcTimes young = GcTimes.of(node, "young");
      if (young.count() >= ENOUGH && young.meanMillis() >= LONG_MILLIS && !node.collector("ZGC")) {
        diagnosis
            .found(young.starting() ? Severity.INFO : Severity.WARN, node.name())
            .seen(
                node.statPath("jvm.gc.collectors.young.collection_time_in_millis"),
                Units.time(young.millis()) + " in " + young.count() + " collections")
            .weigh(45 + young.meanMillis() / 50);
      }
    }
    return diagnosis.saying(
        "A young collection of " + diagnosis.names() + " takes 200 ms or more on average.",
        Fix.advice(
            "With --gc-log the doctor names the cause. Under G1 remove -Xmn and NewSize, which keep it from its goal"
                + " (-XX:MaxGCPauseMillis). Where searches have to be fast and processors are idle: -XX:+UseZGC on JDK 17 or newer."
                + " Where documents per second count, G1 stays the better choice."));
  }
}
