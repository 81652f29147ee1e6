package io.millrace.doctor.check.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

  /** A flag of G1 helps no other collector. */
  @Test
  void theDiffHoldsFlagsOfTheCollectorThatWroteTheLog() {
    for (String collector : List.of("G1", "Parallel", "Serial", "CMS", "Shenandoah")) {
      String diff =
          String.valueOf(
              fires(
                      Severity.WARN,
                      Sick.cluster()
                          .given(new Given(List.of(GcSummaries.fullOf(collector)), null, null)))
                  .fix()
                  .config());
      assertEquals(
          collector.equals("G1"), diff.contains("InitiatingHeapOccupancyPercent"), collector);
      assertEquals(
          List.of("Parallel", "Serial", "CMS").contains(collector),
          diff.contains("+-XX:MaxNewSize=2048m"),
          collector);
    }
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
