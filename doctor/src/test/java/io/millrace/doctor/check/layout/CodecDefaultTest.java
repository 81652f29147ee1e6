package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class CodecDefaultTest extends CheckTestCase {
  CodecDefaultTest() {
    super(new CodecDefault());
  }

  @Test
  void namesLargeLogs() {
    fires(Severity.INFO, Sick.cluster().logsStat("primaries/store/size_in_bytes", 200L << 30));
  }
}
