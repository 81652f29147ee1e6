package io.millrace.it.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Brings one fault after the other and lets the cluster heal in between, without a hand from
 * outside other than that nodes are started and that allocations which failed are tried again.
 */
final class Nemesis {
  private static final int LEAST_MILLIS = 3_000;
  private static final int MOST_MILLIS = 12_000;
  private static final int PEACE_MILLIS = 1_500;

  private final Healing healing;
  private final Faults faults;
  private final Windows windows;
  private final long origin;
  private final List<String> timeLine = new ArrayList<>();
  private int count;
  private int failed;

  Nemesis(Healing healing, Faults faults, Windows windows, long origin) {
    this.healing = healing;
    this.faults = faults;
    this.windows = windows;
    this.origin = origin;
  }

  /**
   * Goes on until this moment; the last fault may end later.
   *
   * @throws AssertionError when the cluster does not heal
   */
  void run(long until) throws InterruptedException {
    while (System.nanoTime() < until) {
      Thread.sleep(PEACE_MILLIS);
      once(faults.next());
    }
  }

  private void once(Fault fault) throws InterruptedException {
    count++;
    tell(fault.describe());
    windows.open(System.nanoTime(), fault.isolates());
    try {
      fault.begin();
      if (fault.lasts()) {
        Thread.sleep(faults.milliseconds(LEAST_MILLIS, MOST_MILLIS));
      }
    } catch (RuntimeException | AssertionError e) {
      failed++;
      tell("  did not go as it should: " + e.toString().lines().findFirst().orElse(""));
    } finally {
      fault.end();
    }
    tell("  ended");
    heal();
  }

  private void heal() {
    healing.agreed();
    windows.agreed(System.nanoTime());
    tell("  one cluster state");
    healing.green();
    windows.healed(System.nanoTime());
    tell("  green");
  }

  private void tell(String what) {
    timeLine.add(
        String.format(Locale.ROOT, "%8.1f s  %s", (System.nanoTime() - origin) / 1e9, what));
  }

  /** What happened when. */
  List<String> timeLine() {
    return timeLine;
  }

  /** How many faults there were. */
  int count() {
    return count;
  }

  /** How many of them could not be begun as they should. */
  int failed() {
    return failed;
  }
}
