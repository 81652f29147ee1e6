package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectorForUseTest extends CheckTestCase {
  CollectorForUseTest() {
    super(new CollectorForUse());
  }

  private static Sick writing(String collector, int cpu) {
    return Sick.cluster()
        .info("jvm/gc_collectors", List.of(collector))
        .stats("os/cpu/percent", cpu)
        .stat("indices/indexing/index_total", 4_500_000);
  }

  @Test
  void firesForABusyWriter() {
    fires(Severity.WARN, writing("ZGC Cycles", 95));
  }

  @Test
  void silentWithCpuToSpareAndUnderG1() {
    silent(writing("ZGC Cycles", 60));
    silent(writing("G1 Young Generation", 95));
  }

  @Test
  void silentWhereSearchesMatter() {
    silent(writing("ZGC Cycles", 95).stat("indices/search/query_total", 400_000));
  }
}
