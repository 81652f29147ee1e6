package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class MergesThrottleTest extends CheckTestCase {
  MergesThrottleTest() {
    super(new MergesThrottle());
  }

  @Test
  void firesWhenItGrew() {
    fires(Severity.WARN, Sick.cluster().stat("indices/indexing/throttle_time_in_millis", 900));
  }
}
