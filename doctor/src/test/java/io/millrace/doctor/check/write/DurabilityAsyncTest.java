package io.millrace.doctor.check.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class DurabilityAsyncTest extends CheckTestCase {
  DurabilityAsyncTest() {
    super(new DurabilityAsync());
  }

  @Test
  void firesForWhatIsNoLog() {
    Finding finding =
        fires(Severity.WARN, Sick.cluster().products("index.translog.durability", "async"));
    assertEquals("{\"index.translog.durability\":null}", finding.fix().calls().getFirst().body());
  }

  @Test
  void silentForLogs() {
    silent(Sick.cluster().logs("index.translog.durability", "async"));
  }
}
