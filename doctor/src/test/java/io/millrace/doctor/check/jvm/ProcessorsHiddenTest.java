package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ProcessorsHiddenTest extends CheckTestCase {
  ProcessorsHiddenTest() {
    super(new ProcessorsHidden());
  }

  @Test
  void namesTheNode() {
    fires(Severity.INFO, Sick.cluster().info("os/allocated_processors", 4));
  }
}
