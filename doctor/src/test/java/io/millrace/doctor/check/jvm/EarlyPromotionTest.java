package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class EarlyPromotionTest extends CheckTestCase {
  EarlyPromotionTest() {
    super(new EarlyPromotion());
  }

  @Test
  void firesWhenMuchIsMoved() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .cms()
            .stat("jvm/gc/collectors/young/collection_count", 20_010)
            .stat("jvm/mem/pools/old/used_in_bytes", (2L << 30) + (680L << 20)));
  }

  @Test
  void silentUnderG1() {
    silent(
        Sick.cluster()
            .stat("jvm/gc/collectors/young/collection_count", 20_010)
            .stat("jvm/mem/pools/old/used_in_bytes", 6L << 30));
  }
}
