package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class OldCollectorTest extends CheckTestCase {
  OldCollectorTest() {
    super(new OldCollector());
  }

  @Test
  void namesCmsOnJdk8() {
    fires(Severity.INFO, Sick.cluster().cms());
  }

  @Test
  void firesForSerial() {
    fires(
        Severity.WARN,
        Sick.cluster().info("jvm/gc_collectors", List.of("Copy", "MarkSweepCompact")));
  }
}
