package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.logfile.LogScan;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What only the logs of nodes tell. */
public final class NodeLogTrouble extends Rule {
  public NodeLogTrouble() {
    super(
        new About(
            "node-logs",
            Area.PIPELINE,
            "Logs of nodes show trouble",
            "logs given with --logs hold OutOfMemoryError, too many open files, lost cluster managers or nodes (error), rejections, collections above their limit, watermarks, breakers, slow cluster states or throttling (warn)",
            "Counters begin anew with each start of a node; its log remembers what happened before.",
            "messages of OpenSearch 1 to 3 and Elasticsearch 6 to 9",
            "the cause of yesterday's failure is known"));
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    LogScan logs = snapshot.given().logs();
    if (logs != null) {
      for (LogScan.Trouble trouble : LogScan.Trouble.values()) {
        if (logs.count(trouble) > 0) {
          boolean grave =
              Set.of(
                      LogScan.Trouble.OUT_OF_MEMORY,
                      LogScan.Trouble.OPEN_FILES,
                      LogScan.Trouble.NO_MANAGER)
                  .contains(trouble);
          diagnosis
              .found(
                  grave ? Severity.ERROR : Severity.WARN, trouble.name().toLowerCase(Locale.ROOT))
              .seen(logs.count(trouble) + " lines", logs.samples().get(trouble))
              .weigh(grave ? 80 : 40);
        }
      }
    }
    return diagnosis.saying(
        "Logs of nodes show " + diagnosis.names() + ".",
        Fix.advice(
            "Look at the findings on the same subject; for an OutOfMemoryError at the heap dump beside the log."));
  }
}
