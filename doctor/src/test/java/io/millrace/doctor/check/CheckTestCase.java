package io.millrace.doctor.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Given;
import io.millrace.doctor.snapshot.Snapshot;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What every check keeps: silent on healthy clusters, whole in what it says, calm on empty answers.
 */
public abstract class CheckTestCase {
  private final Check check;

  protected CheckTestCase(Check check) {
    this.check = check;
  }

  /** The finding of a planted fault, which is whole. */
  protected Finding fires(Severity severity, Sick sick) {
    Finding finding =
        check
            .examine(sick.snapshot())
            .orElseThrow(() -> new AssertionError(check.about().id() + " is silent"));
    assertEquals(severity, finding.severity(), finding::toString);
    assertFalse(finding.subjects().isEmpty(), "no subject");
    assertFalse(finding.evidence().isEmpty(), "no evidence");
    Fix fix = finding.fix();
    boolean cured =
        !fix.calls().isEmpty()
            || fix.config() != null
            || (fix.advice() != null && !fix.advice().isBlank());
    assertTrue(cured, "no cure");
    assertTrue(
        fix.calls().isEmpty() || !fix.undo().isEmpty() || fix.undoAdvice() != null,
        "requests without undo");
    return finding;
  }

  protected void silent(Sick sick) {
    assertEquals(Optional.empty(), check.examine(sick.snapshot()));
  }

  /** Of real servers, too: none of them has anything worth a warning. */
  @Test
  void silentOnHealthyClusters() {
    Recorded.all()
        .forEach((name, snapshot) ->
            check
                .examine(snapshot)
                .ifPresent(finding ->
                    assertEquals(Severity.INFO, finding.severity(), () -> name + ": " + finding)));
    assertEquals(Optional.empty(), check.examine(Recorded.healthy()));
  }

  @Test
  void calmWithoutAnswers() {
    assertEquals(
        Optional.empty(),
        check.examine(new Snapshot(Map.of(), Map.of(), Map.of(), Instant.EPOCH, Given.NOTHING)));
  }
}
