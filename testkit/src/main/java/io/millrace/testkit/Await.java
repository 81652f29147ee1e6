package io.millrace.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Waits for a condition, never for a time.
 *
 * <p>The condition is asked every 100 ms until it holds. One that throws counts as not yet true, so
 * a node that is still starting may refuse connections; the last exception or failed assertion
 * becomes the cause of the failure.
 */
public final class Await {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private Await() {}

  /**
   * Returns as soon as the condition holds.
   *
   * @param what what is awaited, as the object of "waited 30 s for ..."
   * @param limit when to give up
   * @throws AssertionError when the limit passes first, with the condition's last exception
   */
  public static void until(String what, Duration limit, Callable<Boolean> condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Throwable last = null;
      try {
        if (condition.call()) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      } catch (Exception | AssertionError e) {
        last = e;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited " + limit.toSeconds() + " s for " + what, last);
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }
}
