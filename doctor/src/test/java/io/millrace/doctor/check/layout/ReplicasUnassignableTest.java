package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ReplicasUnassignableTest extends CheckTestCase {
  ReplicasUnassignableTest() {
    super(new ReplicasUnassignable());
  }

  @Test
  void firesAtTheNumberOfNodes() {
    fires(Severity.WARN, Sick.cluster().products("index.number_of_replicas", 3));
  }
}
