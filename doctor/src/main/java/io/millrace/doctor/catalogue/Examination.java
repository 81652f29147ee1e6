package io.millrace.doctor.catalogue;

import io.millrace.doctor.check.Check;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What all checks say about one snapshot, the most urgent first.
 *
 * @param snapshot what they saw
 * @param findings by severity, then by weight, then in the catalogue's order
 * @param looked how many checks could look
 * @param blind why a check could not: its id and the reason
 */
public record Examination(
    Snapshot snapshot, List<Finding> findings, int looked, Map<String, String> blind) {
  /** Runs every check of a list. One that breaks is named among the blind; the others go on. */
  public static Examination of(Snapshot snapshot, List<Check> checks) {
    List<Finding> findings = new ArrayList<>();
    Map<String, String> blind = new LinkedHashMap<>();
    for (Check check : checks) {
      String why = check.blind(snapshot);
      if (why != null) {
        blind.put(check.about().id(), why);
        continue;
      }
      try {
        check.examine(snapshot).ifPresent(findings::add);
      } catch (RuntimeException e) {
        blind.put(check.about().id(), "broke on this answer: " + e);
      }
    }
    findings.sort(
        Comparator.comparing(Finding::severity).thenComparingDouble(Finding::weight).reversed());
    return new Examination(snapshot, List.copyOf(findings), checks.size() - blind.size(), blind);
  }

  /** Whether there is a finding of this severity or above. */
  public boolean has(Severity least) {
    return findings.stream().anyMatch(finding -> finding.severity().compareTo(least) >= 0);
  }

  /** One line: how many of which severity. */
  public String counts() {
    StringBuilder text = new StringBuilder();
    for (Severity severity : List.of(Severity.ERROR, Severity.WARN, Severity.INFO)) {
      long count = findings.stream().filter(f -> f.severity() == severity).count();
      text.append(text.isEmpty() ? "" : ", ").append(count).append(' ').append(severity.text());
    }
    return text.toString();
  }
}
