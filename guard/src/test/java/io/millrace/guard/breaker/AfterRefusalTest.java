package io.millrace.guard.breaker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When the memory of a stopped request is collected, by the test's own clock. */
class AfterRefusalTest {
  private static final long HEAP = 1L << 30;

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5); // wraps, as nanoTime may
  private long takes = TimeUnit.MILLISECONDS.toNanos(100);
  private int collected;

  private final AfterRefusal after =
      new AfterRefusal(new RequestLimits(), HEAP, clock::get) {
        @Override
        void collect() {
          collected++;
          clock.addAndGet(takes);
        }
      };

  @Test
  void smallRequestsAreNotWorthACollection() {
    after.refused(HEAP / 20);
    after.tick();
    assertEquals(0, collected);
  }

  @Test
  void oneStoppedDuringTheRestIsOwedUntilItsEnd() {
    after.refused(HEAP / 2);
    after.tick();
    after.tick();
    assertEquals(1, collected);
    after.refused(HEAP / 2);
    pass(1_999);
    assertEquals(1, collected);
    pass(1);
    assertEquals(2, collected);
    pass(60_000);
    assertEquals(2, collected, "nothing is owed");
  }

  @Test
  void shortAndLongCollectionsRestBetweenOneAndTenSeconds() {
    takes = 1;
    after.refused(HEAP);
    after.tick();
    after.refused(HEAP);
    pass(999);
    assertEquals(1, collected);
    takes = TimeUnit.SECONDS.toNanos(30);
    pass(1);
    assertEquals(2, collected);
    after.refused(HEAP);
    pass(9_999);
    assertEquals(2, collected);
    pass(1);
    assertEquals(3, collected);
  }

  private void pass(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    after.tick();
  }
}
