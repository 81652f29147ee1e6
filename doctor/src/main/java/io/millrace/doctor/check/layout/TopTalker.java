package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One application that logs ten times what others do is cheaper to silence than to store. */
public final class TopTalker extends Rule {
  public TopTalker() {
    super(
        new About(
            "top-talker",
            Area.LAYOUT,
            "One application logs far more than the others",
            "among 5 families of dated indices or more, one has 10 times the median and 1 GB or more",
            "Lists of large objects, reports and debug lines cost CPU and disk at the cluster and in the application, and nobody reads them.",
            "a field report: most applications write some 100 MB a day, a few 10 GB of what should not be logged; another cut traces by 65 % by filtering middleware",
            "often more than all tuning of the cluster brings"),
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Map<String, Long> families = new TreeMap<>();
    snapshot.userIndices().stream()
        .filter(i -> i.dated() || i.rolled())
        .forEach(i -> families.merge(i.family(), i.bytes(), Long::sum));
    List<Long> sizes = families.values().stream().sorted().toList();
    if (sizes.size() >= 5) {
      long median = sizes.get(sizes.size() / 2);
      families.forEach((family, bytes) -> {
        if (bytes > 10 * Math.max(1, median) && bytes > 1L << 30) {
          diagnosis
              .found(Severity.INFO, family)
              .seen(
                  Probe.INDEX_STATS.shown() + ": " + family,
                  Units.size(bytes) + ", the median is " + Units.size(median))
              .weigh(30);
        }
      });
    }
    return diagnosis.saying(
        diagnosis.names() + " logs far more than the others.",
        Fix.advice(
            "Ask its developers for the level INFO, for no bodies of lists and reports, and filter spans of middleware at the agent."));
  }
}
