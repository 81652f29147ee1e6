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
  void silentForAGoodLog() {
    silent(Sick.cluster().given(new Given(List.of(GcSummaries.good()), null, null)));
  }
}
