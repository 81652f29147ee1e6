package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompressedOopsLostTest extends CheckTestCase {
  CompressedOopsLostTest() {
    super(new CompressedOopsLost());
  }

  @Test
  void firesAbove32() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .info("jvm/using_compressed_ordinary_object_pointers", "false")
            .info("jvm/mem/heap_max_in_bytes", 40L << 30));
  }

  @Test
  void silentUnderZgc() {
    silent(
        Sick.cluster()
            .info("jvm/using_compressed_ordinary_object_pointers", "false")
            .info("jvm/gc_collectors", List.of("ZGC Cycles", "ZGC Pauses"))
            .info("jvm/mem/heap_max_in_bytes", 40L << 30));
  }
}
