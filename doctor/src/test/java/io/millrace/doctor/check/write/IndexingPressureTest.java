package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class IndexingPressureTest extends CheckTestCase {
  IndexingPressureTest() {
    super(new IndexingPressure());
  }

  @Test
  void firesInTheWindow() {
    fires(
        Severity.ERROR,
        Sick.cluster().stat("indexing_pressure/memory/total/primary_rejections", 3));
  }
}
