package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class DurabilityRequestTest extends CheckTestCase {
  DurabilityRequestTest() {
    super(new DurabilityRequest());
  }

  @Test
  void namesLogsInSmallBulks() {
    fires(Severity.INFO, Sick.cluster().stat("thread_pool/write/completed", 200_000));
  }

  @Test
  void silentWhenAsync() {
    silent(
        Sick.cluster()
            .stat("thread_pool/write/completed", 200_000)
            .logs("index.translog.durability", "async"));
  }
}
