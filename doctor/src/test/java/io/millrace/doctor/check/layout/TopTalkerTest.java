package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class TopTalkerTest extends CheckTestCase {
  TopTalkerTest() {
    super(new TopTalker());
  }

  @Test
  void namesTheLoudest() {
    fires(Severity.INFO, Sick.cluster().families(6, 20L << 30));
  }
}
