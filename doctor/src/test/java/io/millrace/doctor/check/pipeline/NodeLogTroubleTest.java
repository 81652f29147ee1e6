package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.logfile.LogScan;
import io.millrace.doctor.snapshot.Given;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeLogTroubleTest extends CheckTestCase {
  NodeLogTroubleTest() {
    super(new NodeLogTrouble());
  }

  @Test
  void firesForAnEndedHeap() {
    fires(
        Severity.ERROR,
        Sick.cluster()
            .given(
                new Given(
                    List.of(),
                    new LogScan(
                        1,
                        9,
                        Map.of(LogScan.Trouble.OUT_OF_MEMORY, 2L),
                        Map.of(LogScan.Trouble.OUT_OF_MEMORY, "java.lang.OutOfMemoryError")),
                    null)));
  }

  @Test
  void firesForRejections() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .given(
                new Given(
                    List.of(),
                    new LogScan(
                        1,
                        9,
                        Map.of(LogScan.Trouble.REJECTED, 2L),
                        Map.of(LogScan.Trouble.REJECTED, "rejected execution of")),
                    null)));
  }
}
