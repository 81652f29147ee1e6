package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class IndexBufferSmallTest extends CheckTestCase {
  IndexBufferSmallTest() {
    super(new IndexBufferSmall());
  }

  @Test
  void firesForManyActiveShards() {
    fires(Severity.WARN, Sick.cluster().logs("index.number_of_shards", 400));
  }
}
