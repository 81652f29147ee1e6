package io.millrace.cluster.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DecayedRateTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long WINDOW = 300 * SECOND;

  @Test
  void theSecondLookIsAlreadyRight() {
    DecayedRate rate = new DecayedRate(-50 * SECOND, 1_000);
    assertEquals(0, rate.perSecond());
    rate.look(-20 * SECOND, 1_000 + 30 * 7, WINDOW);
    assertEquals(7, rate.perSecond(), 1e-9);
    assertEquals(30 * SECOND, rate.seenNanos());
  }

  @Test
  void aSteadyRateStaysWhateverThePauses() {
    DecayedRate rate = new DecayedRate(0, 0);
    for (long second : new long[] {1, 31, 600, 601, 5_000}) {
      rate.look(second * SECOND, second * 3, WINDOW);
      assertEquals(3, rate.perSecond(), 1e-9);
    }
  }

  @Test
  void thePastFadesWithTheWindow() {
    DecayedRate rate = new DecayedRate(0, 0);
    rate.look(10_000 * SECOND, 100_000, WINDOW);
    rate.look(10_300 * SECOND, 100_000, WINDOW);
    assertEquals(10 * Math.exp(-1), rate.perSecond(), 0.01);
  }

  @Test
  void aCounterThatWentBackIsNoNegativeRate() {
    DecayedRate rate = new DecayedRate(0, 500);
    rate.look(10 * SECOND, 20, WINDOW);
    assertEquals(0, rate.perSecond());
    rate.look(20 * SECOND, 120, WINDOW);
    assertTrue(rate.perSecond() > 4 && rate.perSecond() < 10, "" + rate.perSecond());
  }

  @Test
  void twoLooksAtOnceAreOne() {
    DecayedRate rate = new DecayedRate(0, 0);
    rate.look(0, 100, WINDOW);
    assertEquals(0, rate.perSecond());
  }
}
