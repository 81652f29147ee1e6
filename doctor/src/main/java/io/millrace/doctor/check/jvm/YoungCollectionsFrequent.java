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

/** A young collection each half second: 3 % of all time, and objects grow old before they die. */
public final class YoungCollectionsFrequent extends Rule {

  public YoungCollectionsFrequent() {
    super(
        new About(
            "young-gc-frequent",
            Area.JVM,
            "Young collections come too often",
            "at least one young collection per second and 2 % of the time in them, over the window when it is a minute or more, else since the start (info in the first ten minutes)",
            "Every collection stops every thread. What a bulk allocates lives longer than half a second, so frequent"
                + " collections also move it to the old generation, where it is expensive to free.",
            "a field report: 27,276 young collections in 14 hours, one each 0.54 s in its own words, 2.8 % of the time",
            "with a young generation that lasts for many seconds: a tenth of the collections"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      GcTimes young = GcTimes.of(node, "young");
      if (young.perSecond() >= 1 && young.share() >= 0.02 && !node.collector("ZGC")) {
        diagnosis
            .found(severity(node, young), node.name())
            .seen(
                node.statPath("jvm.gc.collectors.young.collection_count"),
                young.count() + " in " + Units.time(young.overMillis()))
            .seen(
                node.statPath("jvm.gc.collectors.young.collection_time_in_millis"),
                Units.time(young.millis()) + ", " + Units.percent(young.share()) + " of the time")
            .weigh(60 + 200 * young.share());
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " collects its young generation every second or more often.",
        Fix.advice(
            "Give the young generation half of the heap where its size is fixed (see young-generation-tiny); under G1"
                + " remove -Xmn and NewSize so that it can grow, and give a larger heap up to half of the memory."
                + " Then look for requests that allocate most: large bulks, large aggregations."));
  }

  /**
   * G1 makes its young generation as small as its goal for pauses asks; of itself that is no fault.
   */
  private static Severity severity(Node node, GcTimes young) {
    return young.starting() || node.collector("G1") && young.share() < 0.1
        ? Severity.INFO
        : Severity.WARN;
  }
}
