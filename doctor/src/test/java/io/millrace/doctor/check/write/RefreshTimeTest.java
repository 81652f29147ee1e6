package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class RefreshTimeTest extends CheckTestCase {
  RefreshTimeTest() {
    super(new RefreshTime());
  }

  @Test
  void namesTheNode() {
    fires(Severity.INFO, Sick.cluster().stat("indices/refresh/total_time_in_millis", 50_000));
  }
}
