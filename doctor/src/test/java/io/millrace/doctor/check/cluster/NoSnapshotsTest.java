package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class NoSnapshotsTest extends CheckTestCase {
  NoSnapshotsTest() {
    super(new NoSnapshots());
  }

  @Test
  void namesIt() {
    fires(Severity.INFO, Sick.cluster().answer(Probe.REPOSITORIES, "{}"));
  }
}
