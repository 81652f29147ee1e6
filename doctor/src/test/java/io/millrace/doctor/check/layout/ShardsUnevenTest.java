package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ShardsUnevenTest extends CheckTestCase {
  ShardsUnevenTest() {
    super(new ShardsUneven());
  }

  @Test
  void firesForTheFullest() {
    fires(Severity.WARN, Sick.cluster().shards(60, "n1"));
  }
}
