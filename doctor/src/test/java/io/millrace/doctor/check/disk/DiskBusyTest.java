package io.millrace.doctor.check.disk;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class DiskBusyTest extends CheckTestCase {
  DiskBusyTest() {
    super(new DiskBusy());
  }

  @Test
  void firesWithoutAPause() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .stat("timestamp", 1_795_330_040_000L)
            .stat("fs/io_stats/total/io_time_in_millis", 60_000));
  }
}
