package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class TranslogLargeTest extends CheckTestCase {
  TranslogLargeTest() {
    super(new TranslogLarge());
  }

  @Test
  void firesWhenUncommitted() {
    fires(
        Severity.WARN,
        Sick.cluster().logsStat("primaries/translog/uncommitted_size_in_bytes", 3L << 30));
  }
}
