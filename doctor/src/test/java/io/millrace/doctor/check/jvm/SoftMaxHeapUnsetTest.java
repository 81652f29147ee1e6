package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoftMaxHeapUnsetTest extends CheckTestCase {
  SoftMaxHeapUnsetTest() {
    super(new SoftMaxHeapUnset());
  }

  private static Sick large(int used) {
    return Sick.cluster()
        .info("jvm/gc_collectors", List.of("ZGC Minor Cycles", "ZGC Major Pauses"))
        .info("jvm/mem/heap_max_in_bytes", 24L << 30)
        .stats("jvm/mem/heap_used_percent", used);
  }

  @Test
  void firesForALargeHeapThatIsMostlyFree() {
    fires(Severity.INFO, large(30));
  }

  @Test
  void silentForAUsedHeapAndWithTheFlag() {
    silent(large(60));
    silent(large(30).info("jvm/input_arguments", List.of("-XX:SoftMaxHeapSize=12g")));
  }
}
