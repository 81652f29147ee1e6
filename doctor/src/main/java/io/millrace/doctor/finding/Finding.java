package io.millrace.doctor.finding;

import java.util.List;

/**
 * What a check found.
 *
 * @param check what is known of the check
 * @param severity of the worst case
 * @param what one sentence with the numbers
 * @param subjects nodes, indices, files: what it is about
 * @param evidence the first numbers, {@value #MOST_EVIDENCE} at most
 * @param fix the cure and its undo
 * @param weight how much it hurts among findings of the same severity, 0 to 100
 */
public record Finding(
    About check,
    Severity severity,
    String what,
    List<String> subjects,
    List<Evidence> evidence,
    Fix fix,
    double weight) {
  /** More numbers of the same kind tell a reader nothing. */
  public static final int MOST_EVIDENCE = 12;

  public Finding {
    subjects = List.copyOf(subjects);
    evidence = List.copyOf(evidence);
  }
}
