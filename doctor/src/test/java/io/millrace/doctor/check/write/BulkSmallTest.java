package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class BulkSmallTest extends CheckTestCase {
  BulkSmallTest() {
    super(new BulkSmall());
  }

  @Test
  void firesForTornBulks() {
    fires(Severity.WARN, Sick.cluster().stat("thread_pool/write/completed", 200_000));
  }
}
