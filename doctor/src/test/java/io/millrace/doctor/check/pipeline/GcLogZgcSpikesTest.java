package io.millrace.doctor.check.pipeline;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Given;
import java.util.List;
import org.junit.jupiter.api.Test;

class GcLogZgcSpikesTest extends CheckTestCase {
  GcLogZgcSpikesTest() {
    super(new GcLogZgcSpikes());
  }

  @Test
  void firesAndSaysHowToStopPagesFromMoving() {
    Finding finding =
        fires(
            Severity.WARN,
            Sick.cluster().given(new Given(List.of(GcSummaries.zgc(0.02, 180)), null, null)));
    assertTrue(
        String.valueOf(finding.fix().advice()).contains("kernel.numa_balancing=0"),
        finding.fix()::toString);
  }

  @Test
  void silentForPausesOfMicroseconds() {
    silent(Sick.cluster().given(new Given(List.of(GcSummaries.zgc(0.02, 1.5)), null, null)));
  }
}
