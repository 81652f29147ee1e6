package io.millrace.doctor.check.disk;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class DisksUnevenTest extends CheckTestCase {
  DisksUnevenTest() {
    super(new DisksUneven());
  }

  @Test
  void firesForTheFullest() {
    fires(Severity.WARN, Sick.cluster().stat("fs/total/available_in_bytes", 200L << 30));
  }
}
