package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class FlushFrequentTest extends CheckTestCase {
  FlushFrequentTest() {
    super(new FlushFrequent());
  }

  @Test
  void firesAboveTenPerMinute() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .logsStat("primaries/flush/total", 100)
            .stat("timestamp", 1_795_330_060_000L));
  }
}
