package io.millrace.bench.os;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PausesTest {
  // lines of JDK 25 and of JDK 21
  private static final List<String> LOG =
      List.of(
          "[1000ms] Safepoint \"ICBufferFull\", Time since last: 1 ns, Reaching safepoint: 5 ns, At"
              + " safepoint: 6 ns, Total: 99000000 ns",
          "[2000ms] Safepoint \"G1CollectForAllocation\", Time since last: 148102 ns, Reaching"
              + " safepoint: 73911 ns, At safepoint: 20482934 ns, Leaving safepoint: 4000 ns, Total:"
              + " 20560845 ns, Threads: 2 runnable, 41 total",
          "[2500ms] something else",
          "[3000ms] Safepoint \"ZMarkStartYoung\", Time since last: 1 ns, Reaching safepoint: 2 ns,"
              + " Cleanup: 3 ns, At safepoint: 4 ns, Total: 50000 ns");

  @Test
  void onlyWhatEndedInTheSpan() {
    Pauses pauses = Pauses.of(LOG, 1500, 3000);
    assertEquals(20.560845, pauses.longestMillis(), 1e-9);
    assertEquals(20.610845, pauses.totalMillis(), 1e-9);
    assertEquals(2, pauses.count());
    assertEquals(2, pauses.collections());
  }

  @Test
  void thePercentileIsOfCollectionsAlone() {
    Pauses pauses = Pauses.of(LOG, 0, 2500);
    assertEquals(2, pauses.count());
    assertEquals(1, pauses.collections());
    assertEquals(99.0, pauses.longestMillis(), 1e-9, "of any cause");
    assertEquals(20.560845, pauses.p99CollectionMillis(), 1e-9);
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
    String line = "[1ms] Safepoint \"" + cause + "\", Time since last: 1 ns, Total: 1000000 ns";
    assertEquals(1, Pauses.of(List.of(line), 0, 2).collections());
  }

  @Test
  void noLogNoPauses() throws IOException {
    assertEquals(new Pauses(0, 0, 0, 0, 0), Pauses.between(Path.of("no-such-file"), 0, 1));
  }
}
