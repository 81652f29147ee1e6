package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class SyncIntervalLongTest extends CheckTestCase {
  SyncIntervalLongTest() {
    super(new SyncIntervalLong());
  }

  @Test
  void namesTwoMinutes() {
    fires(
        Severity.INFO,
        Sick.cluster()
            .logs("index.translog.durability", "async")
            .logs("index.translog.sync_interval", "120s"));
  }
}
