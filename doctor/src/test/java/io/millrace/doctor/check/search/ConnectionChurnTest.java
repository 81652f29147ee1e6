package io.millrace.doctor.check.search;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ConnectionChurnTest extends CheckTestCase {
  ConnectionChurnTest() {
    super(new ConnectionChurn());
  }

  @Test
  void firesForAConnectionPerRequest() {
    fires(Severity.WARN, Sick.cluster().stat("http/total_opened", 9_000));
  }
}
