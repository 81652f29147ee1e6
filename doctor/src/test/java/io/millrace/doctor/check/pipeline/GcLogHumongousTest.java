package io.millrace.doctor.check.pipeline;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Given;
import java.util.List;
import org.junit.jupiter.api.Test;

class GcLogHumongousTest extends CheckTestCase {
  GcLogHumongousTest() {
    super(new GcLogHumongous());
  }

  @Test
  void firesAndNamesTheSizeOfARegion() {
    Finding finding =
        fires(
            Severity.WARN,
            Sick.cluster().given(new Given(List.of(GcSummaries.humongous(6, 10)), null, null)));
    assertTrue(
        String.valueOf(finding.fix().config()).contains("+-XX:G1HeapRegionSize=16m"),
        finding.fix()::toString);
  }

  @Test
  void silentForAFew() {
    silent(Sick.cluster().given(new Given(List.of(GcSummaries.humongous(5, 10)), null, null)));
    silent(Sick.cluster().given(new Given(List.of(GcSummaries.humongous(6, 100)), null, null)));
  }
}
