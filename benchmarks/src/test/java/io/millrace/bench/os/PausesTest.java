package io.millrace.bench.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.bench.os.Pauses.Part;
import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PausesTest {
  /** As JDK 25.0.3 wrote them. */
  private static final List<String> JDK_25 =
      List.of(
          "[1795264089696ms] Safepoint \"ZMarkEndYoung\", Time since last: 632190 ns, Reaching"
              + " safepoint: 711 ns, At safepoint: 4377 ns, Leaving safepoint: 420 ns, Total: 5508"
              + " ns, Threads: 0 runnable, 10 total",
          "[1795264089703ms] Safepoint \"ZRelocateStartOld\", Time since last: 2285884 ns, Reaching"
              + " safepoint: 1663 ns, At safepoint: 8663 ns, Leaving safepoint: 701 ns, Total: 11027"
              + " ns, Threads: 0 runnable, 10 total",
          "[1795264092936ms] Safepoint \"G1CollectForAllocation\", Time since last: 8634492 ns,"
              + " Reaching safepoint: 3936 ns, At safepoint: 1182766 ns, Leaving safepoint: 2584 ns,"
              + " Total: 1189286 ns, Threads: 0 runnable, 10 total");

  /** The form of JDK 17 to 24, as JDK 17.0.15 wrote them. */
  private static final List<String> JDK_21 =
      List.of(
          "[1795264096676ms] Safepoint \"G1CollectForAllocation\", Time since last: 5587004 ns,"
              + " Reaching safepoint: 2623 ns, Cleanup: 3355 ns, At safepoint: 516917 ns, Total:"
              + " 522895 ns",
          "[1795264096713ms] Safepoint \"G1CollectFull\", Time since last: 6044040 ns, Reaching"
              + " safepoint: 2504 ns, Cleanup: 2774 ns, At safepoint: 30441422 ns, Total: 30446700"
              + " ns");

  private static final String NO_COLLECTION =
      "[1000ms] Safepoint \"ICBufferFull\", Time since last: 1 ns, Reaching safepoint: 98999989 ns,"
          + " At safepoint: 6 ns, Leaving safepoint: 5 ns, Total: 99000000 ns, Threads: 2 runnable,"
          + " 41 total";

  private static Pauses all(List<String> lines) {
    return Pauses.of(lines, 0, Long.MAX_VALUE);
  }

  @Test
  void thePartsOfJdk25() {
    Pauses pauses = all(JDK_25);
    assertEquals(1.189286, pauses.whole().longestMillis(), 1e-9);
    assertEquals(1.182766, pauses.atSafepoint().longestMillis(), 1e-9);
    assertEquals(0.003936, pauses.reaching().longestMillis(), 1e-9);
    assertEquals((5508 + 11027 + 1189286) / 1e6, pauses.totalMillis(), 1e-9);
    assertEquals(3, pauses.count());
    assertEquals(3, pauses.collections());
    Pauses one = all(JDK_25.subList(0, 1));
    assertEquals(new Part(0.005508, 0.005508), one.whole());
    assertEquals(new Part(0.004377, 0.004377), one.atSafepoint(), "without leaving it");
    assertEquals(new Part(0.000711, 0.000711), one.reaching());
  }

  @Test
  void thePartsOfJdk21() {
    Pauses pauses = all(JDK_21);
    assertEquals(30.4467, pauses.whole().longestMillis(), 1e-9);
    assertEquals(30.441422, pauses.atSafepoint().longestMillis(), 1e-9, "without the cleanup");
    assertEquals(0.002623, pauses.reaching().longestMillis(), 1e-9);
    assertEquals(0.516917 + 0.99 * (30.441422 - 0.516917), p99(pauses.atSafepoint()), 1e-9);
    assertEquals(0.002504 + 0.99 * (0.002623 - 0.002504), p99(pauses.reaching()), 1e-9);
    assertEquals(2, pauses.collections());
  }

  private static double p99(Part part) {
    return part.p99CollectionMillis();
  }

  @Test
  void onlyWhatEndedInTheSpan() {
    Pauses pauses = Pauses.of(JDK_25, 1795264089697L, 1795264092935L);
    assertEquals(1, pauses.count());
    assertEquals(0.011027, pauses.totalMillis(), 1e-9);
  }

  @Test
  void thePercentileIsOfCollectionsAloneAndTheLongestOfAnyCause() {
    Pauses pauses = all(List.of(NO_COLLECTION, JDK_25.getFirst()));
    assertEquals(2, pauses.count());
    assertEquals(1, pauses.collections());
    assertEquals(new Part(99.0, 0.005508), pauses.whole());
    assertEquals(new Part(0.004377, 0.004377), pauses.atSafepoint());
    assertEquals(new Part(98.999989, 0.000711), pauses.reaching());
  }

  @Test
  void anUnknownFormIsNoGoodNews() {
    String changed = "[1ms] Safepoint \"ZMarkStartYoung\", Total: 50000 ns";
    BenchFailure failure =
        assertThrows(BenchFailure.class, () -> all(List.of(changed, JDK_25.getFirst())));
    assertTrue(failure.getMessage().contains("ZMarkStartYoung"), failure.getMessage());
    assertEquals(1, all(List.of(JDK_25.getFirst(), changed)).count(), "half a line at the end");
    assertEquals(1, all(List.of("[1ms] something else", JDK_25.getFirst())).count());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "G1CollectFull",
        "G1PauseRemark",
        "ZRelocateStartOld",
        "ParallelGCFailedAllocation",
        "ParallelCollectForAllocation",
        "SerialCollectForAllocation",
        "GenCollectForAllocation",
        "CollectForMetadataAllocation"
      })
  void everyCollectorIsKnown(String cause) {
    assertEquals(1, all(List.of(NO_COLLECTION.replace("ICBufferFull", cause))).collections());
  }

  @Test
  void noLogNoPauses() throws IOException {
    Part none = new Part(0, 0);
    assertEquals(
        new Pauses(none, none, none, 0, 0, 0), Pauses.between(Path.of("no-such-file"), 0, 1));
  }
}
