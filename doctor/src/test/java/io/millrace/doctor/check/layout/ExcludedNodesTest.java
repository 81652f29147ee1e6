package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ExcludedNodesTest extends CheckTestCase {
  ExcludedNodesTest() {
    super(new ExcludedNodes());
  }

  @Test
  void namesTheNode() {
    fires(
        Severity.INFO,
        Sick.cluster().clusterSetting("cluster.routing.allocation.exclude._name", "n1"));
  }
}
