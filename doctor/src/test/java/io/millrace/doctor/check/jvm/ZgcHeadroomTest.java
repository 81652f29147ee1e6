package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZgcHeadroomTest extends CheckTestCase {
  ZgcHeadroomTest() {
    super(new ZgcHeadroom());
  }

  @Test
  void firesWhenFull() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .info("jvm/gc_collectors", List.of("ZGC Cycles", "ZGC Pauses"))
            .stats("jvm/mem/heap_used_percent", 85));
  }
}
