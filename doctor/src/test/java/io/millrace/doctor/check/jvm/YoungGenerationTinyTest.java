package io.millrace.doctor.check.jvm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class YoungGenerationTinyTest extends CheckTestCase {
  YoungGenerationTinyTest() {
    super(new YoungGenerationTiny());
  }

  @Test
  void firesAtOneToNineteen() {
    Finding finding = fires(Severity.WARN, Sick.cluster().cms());
    assertTrue(
        finding.evidence().get(2).value().startsWith("1 : 1"), () -> finding.evidence().toString());
    assertTrue(finding.fix().config().contains("-XX:NewSize=10g"));
  }

  /** Parallel leaves a survivor space out of the heap that it reports. */
  @Test
  void firesForAHeapOfTwoGigabytesAsItsJvmReportsIt() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .cms()
            .info("jvm/gc_collectors", java.util.List.of("PS MarkSweep", "PS Scavenge"))
            .info("jvm/mem/heap_max_in_bytes", 2014L << 20)
            .stats("jvm/mem/pools/young/max_in_bytes", 75L << 20)
            .stats("jvm/mem/pools/survivor/max_in_bytes", 10L << 20));
  }

  @Test
  void silentAtOneToOne() {
    silent(Sick.cluster().cms().stats("jvm/mem/pools/young/max_in_bytes", 8L << 30));
  }
}
