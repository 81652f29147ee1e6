package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class JavaOldTest extends CheckTestCase {
  JavaOldTest() {
    super(new JavaOld());
  }

  @Test
  void firesBelow17() {
    fires(Severity.INFO, Sick.cluster().info("jvm/version", "1.8.0_171"));
    fires(Severity.INFO, Sick.cluster().info("jvm/version", "11.0.13"));
  }

  @Test
  void silentFrom17On() {
    silent(Sick.cluster().info("jvm/version", "17.0.1"));
  }

  @Test
  void silentForAVersionThatIsNone() {
    silent(Sick.cluster().info("jvm/version", "unknown"));
  }
}
