package io.millrace.doctor.check.search;

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
import java.util.Optional;

/** Scripts with values in their text are compiled for each request. */
public final class ScriptCompilations extends Rule {
  public ScriptCompilations() {
    super(
        new About(
            "script-compilations",
            Area.SEARCH,
            "Scripts are compiled again and again",
            "the limit of compilations was hit, or more than 1 script per second was compiled in the window",
            "Compiling takes milliseconds of CPU and room for classes; at the limit requests fail.",
            "OpenSearch documentation, script.max_compilations_rate",
            "one compilation per script"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      long limited = node.stat("script.compilation_limit_triggered");
      long compiled = node.grew("script.compilations");
      if (limited > 0 || (compiled >= 10 && compiled > node.windowMillis() / 1_000)) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.statPath("script.compilations"),
                "+" + compiled + ", limit hit " + limited + " times")
            .weigh(35);
      }
    }
    return diagnosis.saying(
        "Scripts are compiled all the time on " + diagnosis.names() + ".",
        Fix.advice("Pass values in params instead of in the script's text, or store the script."));
  }
}
