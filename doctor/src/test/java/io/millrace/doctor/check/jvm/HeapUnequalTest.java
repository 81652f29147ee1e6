package io.millrace.doctor.check.jvm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeapUnequalTest extends CheckTestCase {
  HeapUnequalTest() {
    super(new HeapUnequal());
  }

  @Test
  void firesWhenTheHeapMayGrow() {
    Finding finding =
        fires(Severity.WARN, Sick.cluster().info("jvm/mem/heap_init_in_bytes", 1L << 30));
    assertTrue(finding.fix().config().contains("+-Xms8g"));
  }

  @Test
  void silentWhenASurvivorSpaceIsMissing() {
    silent(Sick.cluster().info("jvm/mem/heap_init_in_bytes", (8L << 30) - (100L << 20)));
  }

  @Test
  void silentWhereASoftMaximumSaysThatItIsMeant() {
    silent(
        Sick.cluster()
            .info("jvm/mem/heap_init_in_bytes", 1L << 30)
            .info("jvm/input_arguments", List.of("-Xms1g", "-XX:SoftMaxHeapSize=4g")));
  }
}
