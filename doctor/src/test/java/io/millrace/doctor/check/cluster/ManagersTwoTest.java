package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManagersTwoTest extends CheckTestCase {
  ManagersTwoTest() {
    super(new ManagersTwo());
  }

  @Test
  void firesForOneOfThree() {
    fires(Severity.WARN, Sick.cluster().info("roles", List.of("data")).roles("id2", "data"));
  }
}
