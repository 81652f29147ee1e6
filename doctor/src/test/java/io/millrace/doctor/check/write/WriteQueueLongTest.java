package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class WriteQueueLongTest extends CheckTestCase {
  WriteQueueLongTest() {
    super(new WriteQueueLong());
  }

  @Test
  void firesWhenHalfFull() {
    fires(Severity.WARN, Sick.cluster().stats("thread_pool/write/queue", 6_000));
  }

  @Test
  void silentForAPeak() {
    silent(Sick.cluster().stat("thread_pool/write/queue", 6_000));
  }
}
