package io.millrace.doctor.check.mapping;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class TextKeywordDoublesTest extends CheckTestCase {
  TextKeywordDoublesTest() {
    super(new TextKeywordDoubles());
  }

  @Test
  void namesTheIndex() {
    fires(Severity.INFO, Sick.cluster().doubles(25));
  }
}
