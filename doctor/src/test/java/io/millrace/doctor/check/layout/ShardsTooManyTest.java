package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ShardsTooManyTest extends CheckTestCase {
  ShardsTooManyTest() {
    super(new ShardsTooMany());
  }

  @Test
  void firesAboveTheHeap() {
    fires(
        Severity.WARN,
        Sick.cluster().info("jvm/mem/heap_max_in_bytes", 1L << 30).shards(150, "n1"));
  }
}
