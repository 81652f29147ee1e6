package io.millrace.doctor.check.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ShardLimitNearTest extends CheckTestCase {
  ShardLimitNearTest() {
    super(new ShardLimitNear());
  }

  @Test
  void firesAtTheLimit() {
    Finding finding =
        fires(
            Severity.WARN,
            Sick.cluster().clusterSetting("cluster.max_shards_per_node", "10").shards(22, "n1"));
    assertEquals(
        "{\"persistent\":{\"cluster.max_shards_per_node\":\"10\"}}",
        finding.fix().undo().getFirst().body());
  }

  @Test
  void isAnErrorThere() {
    fires(
        Severity.ERROR,
        Sick.cluster().clusterSetting("cluster.max_shards_per_node", "10").shards(26, "n1"));
  }
}
