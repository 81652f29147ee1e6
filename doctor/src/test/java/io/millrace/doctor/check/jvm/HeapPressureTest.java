package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class HeapPressureTest extends CheckTestCase {
  HeapPressureTest() {
    super(new HeapPressure());
  }

  @Test
  void firesAtNinety() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .stats("jvm/mem/heap_used_percent", 92)
            .stat("jvm/gc/collectors/young/collection_count", 20_003));
  }

  @Test
  void isWorthKnowingWhileNoCollectionRan() {
    fires(Severity.INFO, Sick.cluster().stats("jvm/mem/heap_used_percent", 92));
  }

  @Test
  void isAnErrorWithoutRoom() {
    fires(Severity.ERROR, Sick.cluster().stats("jvm/mem/heap_used_percent", 98));
  }

  @Test
  void silentWhenACollectionFreedIt() {
    silent(
        Sick.cluster()
            .stats("jvm/mem/heap_used_percent", 95)
            .stat("jvm/mem/heap_used_percent", 40));
  }
}
