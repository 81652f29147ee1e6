package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.gc.GcAdvice;
import io.millrace.doctor.gc.GcSummary;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What GC logs advise, as a finding: the cases that a check is for, with their cures. */
final class GcCases {
  private static final Pattern FLAG = Pattern.compile("-XX:(?:[+-]\\w+|\\w+=\\w+)");

  private GcCases() {}

  /**
   * @param what begins the sentence that ends with the names of the logs
   */
  static Optional<Finding> finding(
      Diagnosis diagnosis, Snapshot snapshot, Set<GcAdvice.Case> cases, String what) {
    Set<String> cures = new LinkedHashSet<>();
    for (GcSummary log : snapshot.given().gcLogs()) {
      for (GcAdvice advice : GcAdvice.of(log)) {
        if (cases.contains(advice.of())) {
          diagnosis.found(Severity.WARN, log.file()).seen(log.file(), advice.what()).weigh(60);
          cures.add(advice.cure());
        }
      }
    }
    String said = String.join(" ", cures);
    List<String> flags =
        FLAG.matcher(said).results().map(match -> match.group()).distinct().toList();
    Fix fix = flags.isEmpty() ? Fix.advice(said) : Fix.config("jvm.options", List.of(), flags);
    return diagnosis.saying(what + diagnosis.names() + ".", flags.isEmpty() ? fix : fix.and(said));
  }
}
