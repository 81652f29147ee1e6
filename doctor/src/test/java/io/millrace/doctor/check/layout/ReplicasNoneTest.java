package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ReplicasNoneTest extends CheckTestCase {
  ReplicasNoneTest() {
    super(new ReplicasNone());
  }

  @Test
  void firesForDocuments() {
    fires(Severity.WARN, Sick.cluster().products("index.number_of_replicas", 0));
  }

  @Test
  void namesLogs() {
    fires(Severity.INFO, Sick.cluster().logs("index.number_of_replicas", 0));
  }

  @Test
  void silentOnOneNode() {
    silent(Sick.cluster().alone().products("index.number_of_replicas", 0));
  }
}
