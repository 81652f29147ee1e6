package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class MinimumMastersTest extends CheckTestCase {
  MinimumMastersTest() {
    super(new MinimumMasters());
  }

  @Test
  void firesOnVersionSix() {
    fires(
        Severity.ERROR, Sick.cluster().answer(Probe.ROOT, "{\"version\":{\"number\":\"6.3.0\"}}"));
  }

  @Test
  void silentWithAMajority() {
    silent(
        Sick.cluster()
            .answer(Probe.ROOT, "{\"version\":{\"number\":\"6.3.0\"}}")
            .clusterSetting("discovery.zen.minimum_master_nodes", "2"));
  }
}
