package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Given;
import java.util.List;
import org.junit.jupiter.api.Test;

class GcLogTroubleTest extends CheckTestCase {
  GcLogTroubleTest() {
    super(new GcLogTrouble());
  }

  @Test
  void firesForAFullCollection() {
    fires(
        Severity.WARN,
        Sick.cluster().given(new Given(List.of(GcSummaries.withFull()), null, null)));
  }

  @Test
  void firesForClassesThatFindNoRoom() {
    fires(
        Severity.WARN,
        Sick.cluster().given(new Given(List.of(GcSummaries.metadata(6)), null, null)));
  }

  /** They have checks of their own. */
  @Test
  void silentForHumongousObjectsAndSpikes() {
    silent(
        Sick.cluster()
            .given(
                new Given(
                    List.of(GcSummaries.humongous(9, 10), GcSummaries.zgc(0.02, 180)),
                    null,
                    null)));
  }

  @Test
  void silentForAGoodLog() {
    silent(Sick.cluster().given(new Given(List.of(GcSummaries.good()), null, null)));
  }
}
