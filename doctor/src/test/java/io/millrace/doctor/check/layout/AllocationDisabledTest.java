package io.millrace.doctor.check.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class AllocationDisabledTest extends CheckTestCase {
  AllocationDisabledTest() {
    super(new AllocationDisabled());
  }

  @Test
  void firesWhenForgotten() {
    Finding finding =
        fires(
            Severity.WARN,
            Sick.cluster().clusterSetting("cluster.routing.allocation.enable", "primaries"));
    assertEquals(
        "{\"persistent\":{\"cluster.routing.allocation.enable\":null}}",
        finding.fix().calls().getFirst().body());
  }

  @Test
  void silentForAll() {
    silent(Sick.cluster().clusterSetting("cluster.routing.allocation.enable", "all"));
  }
}
