package io.millrace.doctor.check.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class LongTasksTest extends CheckTestCase {
  LongTasksTest() {
    super(new LongTasks());
  }

  @Test
  void firesForAWildcard() {
    Finding finding =
        fires(
            Severity.WARN,
            Sick.cluster()
                .answer(
                    Probe.TASKS,
                    "{\"nodes\":{\"a\":{\"tasks\":{\"a:7\":{\"action\":\"indices:data/read/search\",\"description\":\"source[{\\\"query\\\":{\\\"wildcard\\\":{}}}]\",\"running_time_in_nanos\":20000000000,\"cancellable\":true}}}}}"));
    assertEquals("/_tasks/a:7/_cancel", finding.fix().calls().getFirst().path());
  }

  @Test
  void namesAReindex() {
    fires(
        Severity.INFO,
        Sick.cluster()
            .answer(
                Probe.TASKS,
                "{\"nodes\":{\"a\":{\"tasks\":{\"a:7\":{\"action\":\"indices:data/write/reindex\",\"running_time_in_nanos\":200000000000}}}}}"));
  }
}
