package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ClockSkewTest extends CheckTestCase {
  ClockSkewTest() {
    super(new ClockSkew());
  }

  @Test
  void firesForOneClock() {
    fires(Severity.WARN, Sick.cluster().stats("timestamp", 1_795_330_100_000L));
  }
}
