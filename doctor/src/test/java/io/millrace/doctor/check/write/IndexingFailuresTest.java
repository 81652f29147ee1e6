package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class IndexingFailuresTest extends CheckTestCase {
  IndexingFailuresTest() {
    super(new IndexingFailures());
  }

  @Test
  void firesAboveOnePercent() {
    fires(Severity.WARN, Sick.cluster().logsStat("primaries/indexing/index_failed", 200_000));
  }
}
