package io.millrace.doctor.check.search;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ConnectionsManyTest extends CheckTestCase {
  ConnectionsManyTest() {
    super(new ConnectionsMany());
  }

  @Test
  void firesForThousands() {
    fires(Severity.INFO, Sick.cluster().stat("http/current_open", 2_000));
    fires(Severity.WARN, Sick.cluster().stat("http/current_open", 10_000));
  }

  @Test
  void silentForHundreds() {
    silent(Sick.cluster().stat("http/current_open", 1_999));
  }
}
