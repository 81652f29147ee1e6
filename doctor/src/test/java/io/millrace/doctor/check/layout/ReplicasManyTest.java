package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ReplicasManyTest extends CheckTestCase {
  ReplicasManyTest() {
    super(new ReplicasMany());
  }

  @Test
  void firesAtTwo() {
    fires(Severity.WARN, Sick.cluster().logs("index.number_of_replicas", 2));
  }

  @Test
  void silentForOtherNames() {
    silent(Sick.cluster().products("index.number_of_replicas", 2));
  }
}
