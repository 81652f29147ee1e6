package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ShardsLargeTest extends CheckTestCase {
  ShardsLargeTest() {
    super(new ShardsLarge());
  }

  @Test
  void firesAboveSixtyGigabytes() {
    fires(Severity.WARN, Sick.cluster().shard("products", 1, "p", "STARTED", 5, 80L << 30, "n1"));
  }

  @Test
  void isAnErrorNearTheEnd() {
    fires(
        Severity.ERROR,
        Sick.cluster().shard("products", 1, "p", "STARTED", 2_100_000_000L, 80L << 30, "n1"));
  }
}
