package io.millrace.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunEvidenceTest {
  private final RunEvidence evidence = new RunEvidence();

  @Test
  void whatHappenedIsNotMissing() {
    evidence.happened("writes", 1);
    assertEquals(List.of(), evidence.missing());
  }

  @Test
  void whatNeverHappenedIs() {
    evidence.happened("writes", 1);
    evidence.happened("faults", 0);
    assertEquals(List.of("faults: 0"), evidence.missing());
  }

  @Test
  void aClientThatFailedIsNamedByItsFailure() {
    evidence.clientFailed(new IllegalStateException("no index"));
    assertEquals(
        List.of("a client ended before its time: java.lang.IllegalStateException: no index"),
        evidence.missing());
  }
}
