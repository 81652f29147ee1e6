package io.millrace.doctor.check.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class HealthYellowTest extends CheckTestCase {
  HealthYellowTest() {
    super(new HealthYellow());
  }

  @Test
  void firesForAReplica() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .answer(Probe.HEALTH, "{\"status\":\"yellow\"}")
            .shard("products", 1, "r", "UNASSIGNED", 0, 0, null));
  }

  @Test
  void namesTheOnlyNode() {
    Finding finding =
        fires(
            Severity.INFO,
            Sick.cluster()
                .alone()
                .answer(Probe.HEALTH, "{\"status\":\"yellow\"}")
                .shard("products", 1, "r", "UNASSIGNED", 0, 0, null));
    assertEquals("{\"index.number_of_replicas\":\"1\"}", finding.fix().undo().getFirst().body());
  }
}
