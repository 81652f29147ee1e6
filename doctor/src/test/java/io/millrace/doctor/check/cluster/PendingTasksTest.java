package io.millrace.doctor.check.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class PendingTasksTest extends CheckTestCase {
  PendingTasksTest() {
    super(new PendingTasks());
  }

  @Test
  void namesAMappingStorm() {
    Finding finding =
        fires(
            Severity.WARN,
            Sick.cluster()
                .answer(
                    Probe.PENDING,
                    "{\"tasks\":[{\"time_in_queue_millis\":12000,\"source\":\"put-mapping\"}]}"));
    assertTrue(finding.what().contains("mapping storm"));
  }

  @Test
  void isAnErrorAfterAMinute() {
    fires(
        Severity.ERROR,
        Sick.cluster()
            .answer(
                Probe.PENDING,
                "{\"tasks\":[{\"time_in_queue_millis\":62000,\"source\":\"create-index\"}]}"));
  }
}
