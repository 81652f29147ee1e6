package io.millrace.doctor.check.write;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MergeThreadsTest extends CheckTestCase {
  MergeThreadsTest() {
    super(new MergeThreads());
  }

  @Test
  void firesForOneThreadAndManySegments() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .logs("index.merge.scheduler.max_thread_count", "1")
            .logsStat("primaries/segments/count", 80));
  }

  @Test
  void firesForDisksThatSpin() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .logs("index.merge.scheduler.max_thread_count", "4")
            .stat("fs/data", List.of(Map.of("spins", "true"))));
  }
}
