package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class WriteQueueSmallTest extends CheckTestCase {
  WriteQueueSmallTest() {
    super(new WriteQueueSmall());
  }

  @Test
  void firesWithRejections() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .info("thread_pool/write/queue_size", 200)
            .stat("thread_pool/write/rejected", 5));
  }

  @Test
  void namesAnOldDefault() {
    fires(Severity.INFO, Sick.cluster().info("thread_pool/write/queue_size", 200));
  }
}
