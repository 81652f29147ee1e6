package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class FlushThresholdTest extends CheckTestCase {
  FlushThresholdTest() {
    super(new FlushThreshold());
  }

  @Test
  void firesAboveTheBuffer() {
    fires(Severity.WARN, Sick.cluster().logs("index.translog.flush_threshold_size", "30gb"));
  }

  @Test
  void firesWhenTiny() {
    fires(Severity.WARN, Sick.cluster().logs("index.translog.flush_threshold_size", "8mb"));
  }

  @Test
  void silentForAGigabyte() {
    silent(Sick.cluster().logs("index.translog.flush_threshold_size", "1gb"));
  }
}
