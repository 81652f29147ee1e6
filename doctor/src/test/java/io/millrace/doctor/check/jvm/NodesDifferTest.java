package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class NodesDifferTest extends CheckTestCase {
  NodesDifferTest() {
    super(new NodesDiffer());
  }

  @Test
  void firesForASmallerHeap() {
    fires(Severity.WARN, Sick.cluster().info("jvm/mem/heap_max_in_bytes", 4L << 30));
  }

  @Test
  void namesAnotherJdk() {
    fires(Severity.INFO, Sick.cluster().info("jvm/version", "17.0.1"));
  }
}
