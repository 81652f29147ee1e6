package io.millrace.doctor.check.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class RefreshExplicitTest extends CheckTestCase {
  RefreshExplicitTest() {
    super(new RefreshExplicit());
  }

  @Test
  void firesAtOneSecond() {
    Finding finding = fires(Severity.WARN, Sick.cluster().logs("index.refresh_interval", "1s"));
    assertEquals("{\"index.refresh_interval\":\"30s\"}", finding.fix().calls().getFirst().body());
    assertEquals("{\"index.refresh_interval\":\"1s\"}", finding.fix().undo().getFirst().body());
  }

  @Test
  void silentAtThirty() {
    silent(Sick.cluster().logs("index.refresh_interval", "30s"));
  }

  @Test
  void silentWhenOff() {
    silent(Sick.cluster().logs("index.refresh_interval", "-1"));
  }
}
