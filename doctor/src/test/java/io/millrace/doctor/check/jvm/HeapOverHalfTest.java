package io.millrace.doctor.check.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeapOverHalfTest extends CheckTestCase {
  HeapOverHalfTest() {
    super(new HeapOverHalf());
  }

  @Test
  void firesAbove20Of32() {
    Finding finding =
        fires(Severity.WARN, Sick.cluster().info("jvm/mem/heap_max_in_bytes", 20L << 30));
    assertTrue(finding.fix().config().contains("+-Xmx16g"), finding.fix().config());
  }

  @Test
  void firesForALimitOfTheContainer() {
    Finding finding =
        fires(
            Severity.WARN,
            Sick.cluster().stat("os/cgroup/memory/limit_in_bytes", String.valueOf(10L << 30)));
    assertEquals(List.of("n1"), finding.subjects());
  }

  @Test
  void silentAtHalf() {
    silent(Sick.cluster().info("jvm/mem/heap_max_in_bytes", 16L << 30));
  }
}
