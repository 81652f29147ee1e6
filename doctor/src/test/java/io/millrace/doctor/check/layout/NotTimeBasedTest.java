package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class NotTimeBasedTest extends CheckTestCase {
  NotTimeBasedTest() {
    super(new NotTimeBased());
  }

  @Test
  void firesForOneThatGrows() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .rename("app-logs-2026.11.20", "app-logs")
            .index(
                "app-logs",
                "index.creation_date",
                1_780_000_000_000L,
                "primaries/store/size_in_bytes",
                90L << 30));
  }
}
