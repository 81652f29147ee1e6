package io.millrace.kernel.metric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class DurationsTest {
  @Test
  void nothingIsZero() {
    Durations durations = new Durations();
    assertEquals(0, durations.count());
    assertEquals(0, durations.micros(99));
    assertEquals(0, durations.maxMicros());
    assertEquals(
        List.of(
            "count",
            "total_in_micros",
            "max_in_micros",
            "p50_in_micros",
            "p90_in_micros",
            "p99_in_micros",
            "p99.9_in_micros"),
        List.copyOf(durations.report().keySet()));
  }

  @Test
  void quantilesAreWithinOnePercent() {
    Durations durations = new Durations();
    for (int i = 1; i <= 1000; i++) {
      durations.record(i * 1_000_000L);
    }
    assertEquals(1000, durations.count());
    assertEquals(500_500_000_000L, durations.totalNanos());
    assertEquals(500_000, durations.micros(50), 5_000);
    assertEquals(990_000, durations.micros(99), 9_900);
    assertEquals(1_000_000, durations.maxMicros(), 10_000);
  }

  @Test
  void bucketsAreCumulative() {
    Durations durations = new Durations();
    for (long micros : new long[] {10, 100, 100, 100_000}) {
      durations.record(micros * 1000);
    }
    assertArrayEquals(new long[] {0, 1, 3, 3, 4}, durations.atMost(5, 50, 500, 50_000, 1_000_000));
  }

  @Test
  void oddValuesDoNoHarm() {
    Durations durations = new Durations();
    durations.record(-5);
    durations.record(Long.MAX_VALUE / 2);
    assertEquals(2, durations.count());
    assertTrue(durations.maxMicros() >= 3_600_000_000L * 0.99);
  }
}
