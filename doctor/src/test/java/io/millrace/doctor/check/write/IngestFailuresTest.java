package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class IngestFailuresTest extends CheckTestCase {
  IngestFailuresTest() {
    super(new IngestFailures());
  }

  @Test
  void firesForFailures() {
    fires(
        Severity.WARN,
        Sick.cluster().stats("ingest/total/count", 10_000).stats("ingest/total/failed", 900));
  }

  @Test
  void firesForSlowPipelines() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .stat("ingest/total/count", 10_000)
            .stat("ingest/total/time_in_millis", 30_000));
  }
}
