package io.millrace.observe.freshness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.metric.Durations;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

class ShardClockTest {
  private static final long MS = 1_000_000L;
  // nanoTime may be negative and may wrap
  private final AtomicLong now = new AtomicLong(-3 * MS);
  private final Durations waits = new Durations();
  private final ShardClock clock = new ShardClock(() -> true, now::get, waits);

  private void pass(long millis) {
    now.addAndGet(millis * MS);
  }

  @Test
  void aRefreshMeasuresTheOldestWriteItShows() {
    clock.written(now.get());
    pass(40);
    clock.written(now.get());
    clock.written(now.get() - 50 * MS); // arrived first, finished last
    assertEquals(50 * MS, clock.waitingNanos());
    clock.beforeRefresh();
    pass(10);
    clock.afterRefresh(true);
    assertEquals(60 * MS, clock.lastNanos());
    assertEquals(1, waits.count());
    assertEquals(0, clock.waitingNanos());
  }

  @Test
  void whatIsWrittenDuringARefreshWaitsForTheNext() {
    clock.written(now.get());
    clock.beforeRefresh();
    pass(5);
    clock.written(now.get());
    pass(5);
    clock.afterRefresh(true);
    assertEquals(10 * MS, clock.lastNanos());
    assertEquals(5 * MS, clock.waitingNanos());
    clock.beforeRefresh();
    clock.afterRefresh(true);
    assertEquals(5 * MS, clock.lastNanos());
    assertEquals(2, waits.count());
  }

  @Test
  void anEmptyRefreshMeasuresNothing() {
    clock.beforeRefresh();
    clock.afterRefresh(true);
    clock.written(now.get());
    clock.beforeRefresh();
    clock.afterRefresh(false);
    assertEquals(0, waits.count());
    assertEquals(0, clock.waitingNanos());
  }

  @Test
  void aNoteOfAVisibleWriteIsDropped() {
    clock.written(now.get());
    pass(100);
    clock.forgetIfVisible(() -> true);
    assertEquals(100 * MS, clock.waitingNanos());
    clock.forgetIfVisible(() -> false);
    assertEquals(0, clock.waitingNanos());
  }

  @Test
  void defaults() {
    FreshnessFeature feature = new FreshnessFeature();
    assertTrue(feature.enabled().setting().getDefault(Settings.EMPTY));
    assertEquals(1, feature.knobs().size());
    assertEquals(50, feature.knobs().getFirst().setting().getDefault(Settings.EMPTY));
  }
}
