package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class IndicesEmptyTest extends CheckTestCase {
  IndicesEmptyTest() {
    super(new IndicesEmpty());
  }

  @Test
  void namesTwenty() {
    fires(Severity.INFO, Sick.cluster().emptyIndices(25));
  }

  @Test
  void firesAtAHundred() {
    fires(Severity.WARN, Sick.cluster().emptyIndices(120));
  }
}
