package io.millrace.guard.lanes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class GiveWayTest {
  private static final BooleanSupplier YES = () -> true;

  /** Nobody rests so long in this test. */
  private static final long HOURS = Long.MAX_VALUE / 100;

  private final AtomicInteger writing = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger(1);
  private final AtomicInteger sharing = new AtomicInteger(1);
  private final AtomicInteger percent = new AtomicInteger(30);
  private final GiveWay way = new GiveWay(percent::get, running::get, sharing::get, Long.MAX_VALUE);

  GiveWayTest() {
    way.open(2, writing::get);
  }

  @Test
  void itRestsAsLongAsItsShareAsks() {
    writing.set(2);
    assertEquals(2_000_000, way.due(3_000_000)); // 60 % of one of two processors
    sharing.set(2);
    assertEquals(7_000_000, way.due(3_000_000)); // 30 %
    sharing.set(4);
    assertEquals(17_000_000, way.due(3_000_000));
    assertTrue(way.rest(YES, 300));
    assertEquals(1, way.rests.sum());
    assertTrue(way.restedNanos.sum() >= 1_700);
    assertEquals(0, way.restingNow());
  }

  @Test
  void itDoesNotRestWhileThereAreProcessorsForAll() {
    writing.set(1);
    assertFalse(way.rest(YES, HOURS));
    running.set(2); // and a light one
    assertTrue(way.rest(YES, 1_000));
    percent.set(100);
    assertFalse(way.rest(YES, HOURS));
    percent.set(50);
    assertFalse(way.rest(YES, HOURS)); // half of two is one
    sharing.set(2);
    assertTrue(way.rest(YES, 1_000));
  }

  @Test
  void itRestsNoLongerThanTheLongest() {
    GiveWay bounded = new GiveWay(percent::get, running::get, sharing::get, 5);
    bounded.open(2, writing::get);
    assertEquals(5, bounded.due(1_000_000_000));
  }

  @Test
  void itGoesOnWhenNobodyElseWantsTheProcessors() throws Exception {
    writing.set(2);
    Thread resting = rest(YES);
    writing.set(1);
    resting.join();
  }

  @Test
  void itGoesOnWhenNobodyWaitsForItAnyMore() throws Exception {
    writing.set(2);
    AtomicBoolean wanted = new AtomicBoolean(true);
    Thread resting = rest(wanted::get);
    wanted.set(false);
    resting.join();
  }

  @Test
  void itGoesOnWhenItIsInterruptedAndSaysSo() throws Exception {
    writing.set(2);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread resting =
        new Thread(() -> {
          way.rest(YES, HOURS);
          interrupted.set(Thread.currentThread().isInterrupted());
        });
    resting.start();
    awaitResting(1);
    resting.interrupt();
    resting.join();
    assertTrue(interrupted.get());
  }

  @Test
  void oneRestsForTheOther() throws Exception {
    writing.set(1);
    running.set(2);
    sharing.set(2);
    Thread first = rest(YES);
    assertFalse(way.rest(YES, HOURS)); // there is a processor for this one now
    running.set(1); // which ends
    first.join();
  }

  private Thread rest(BooleanSupplier wanted) {
    Thread resting = new Thread(() -> way.rest(wanted, HOURS));
    resting.start();
    awaitResting(1);
    return resting;
  }

  private void awaitResting(int count) {
    while (way.restingNow() < count) {
      Thread.onSpinWait();
    }
  }
}
