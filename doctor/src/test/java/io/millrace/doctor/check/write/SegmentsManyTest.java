package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class SegmentsManyTest extends CheckTestCase {
  SegmentsManyTest() {
    super(new SegmentsMany());
  }

  @Test
  void firesAboveAHundred() {
    fires(Severity.WARN, Sick.cluster().logsStat("primaries/segments/count", 180));
  }
}
