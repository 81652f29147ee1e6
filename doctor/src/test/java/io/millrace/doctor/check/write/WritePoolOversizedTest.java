package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class WritePoolOversizedTest extends CheckTestCase {
  WritePoolOversizedTest() {
    super(new WritePoolOversized());
  }

  @Test
  void firesBelowTheProcessors() {
    fires(Severity.WARN, Sick.cluster().info("settings/thread_pool.write.size", "2"));
  }

  @Test
  void silentAtOneMore() {
    silent(Sick.cluster().info("settings/thread_pool.write.size", "9"));
  }
}
