package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class OneShardHotSpotTest extends CheckTestCase {
  OneShardHotSpotTest() {
    super(new OneShardHotSpot());
  }

  @Test
  void firesForTheBusiest() {
    fires(Severity.WARN, Sick.cluster().logs("index.number_of_replicas", 0));
  }

  @Test
  void silentOnAllNodes() {
    silent(Sick.cluster().logs("index.number_of_shards", 3));
  }
}
