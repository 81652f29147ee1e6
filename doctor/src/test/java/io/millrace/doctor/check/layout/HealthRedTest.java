package io.millrace.doctor.check.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthRedTest extends CheckTestCase {
  HealthRedTest() {
    super(new HealthRed());
  }

  @Test
  void firesForAPrimaryWithoutANode() {
    Finding finding =
        fires(
            Severity.ERROR,
            Sick.cluster()
                .answer(Probe.HEALTH, "{\"status\":\"red\"}")
                .shard("products", 1, "p", "UNASSIGNED", 0, 0, null));
    assertEquals(List.of("products"), finding.subjects());
  }
}
