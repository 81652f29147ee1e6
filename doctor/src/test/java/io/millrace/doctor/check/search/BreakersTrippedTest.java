package io.millrace.doctor.check.search;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class BreakersTrippedTest extends CheckTestCase {
  BreakersTrippedTest() {
    super(new BreakersTripped());
  }

  @Test
  void firesInTheWindow() {
    fires(Severity.ERROR, Sick.cluster().stat("breakers/parent/tripped", 3));
  }

  @Test
  void firesForEarlierOnes() {
    fires(Severity.WARN, Sick.cluster().stats("breakers/request/tripped", 3));
  }
}
