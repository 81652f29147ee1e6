package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class NoManagerTest extends CheckTestCase {
  NoManagerTest() {
    super(new NoManager());
  }

  @Test
  void firesWhenHealthIsRefused() {
    fires(Severity.ERROR, Sick.cluster().missing(Probe.HEALTH, "HTTP 503: null"));
  }
}
