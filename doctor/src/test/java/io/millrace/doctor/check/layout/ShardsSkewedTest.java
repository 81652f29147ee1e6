package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ShardsSkewedTest extends CheckTestCase {
  ShardsSkewedTest() {
    super(new ShardsSkewed());
  }

  @Test
  void firesForOneLargeShard() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .shard("products", 1, "p", "STARTED", 5, 20L << 30, "n1")
            .shard("products", 2, "p", "STARTED", 5, 1L << 30, "n1"));
  }
}
