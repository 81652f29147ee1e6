package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ShardsSmallTest extends CheckTestCase {
  ShardsSmallTest() {
    super(new ShardsSmall());
  }

  @Test
  void namesManySmallOnes() {
    fires(Severity.INFO, Sick.cluster().logs("index.number_of_shards", 30));
  }

  @Test
  void firesForHundreds() {
    fires(Severity.WARN, Sick.cluster().logs("index.number_of_shards", 300));
  }
}
