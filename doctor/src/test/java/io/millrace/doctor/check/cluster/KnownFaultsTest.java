package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class KnownFaultsTest extends CheckTestCase {
  KnownFaultsTest() {
    super(new KnownFaults());
  }

  @Test
  void firesForLog4Shell() {
    fires(
        Severity.WARN, Sick.cluster().answer(Probe.ROOT, "{\"version\":{\"number\":\"7.10.2\"}}"));
  }

  @Test
  void namesAnEndedLine() {
    fires(
        Severity.INFO,
        Sick.cluster()
            .answer(
                Probe.ROOT,
                "{\"version\":{\"number\":\"1.3.20\",\"distribution\":\"opensearch\"}}"));
  }

  @Test
  void silentForEight() {
    silent(Sick.cluster().answer(Probe.ROOT, "{\"version\":{\"number\":\"8.17.0\"}}"));
  }
}
