package io.millrace.it.chaos;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Brings one fault after the other and lets the cluster heal in between, without a hand from
 * outside other than that nodes are started and that allocations which failed are tried again.
 */
final class Nemesis {
  private static final int PEACE_MILLIS = 1_500;

  /** How often a kind is drawn, on average, that does not come about. */
  private static final int TRIES = 3;

  private final Healing healing;
  private final Faults faults;
  private final Windows windows;
  private final long origin;
  private final List<String> timeLine = new ArrayList<>();
  private final Map<FaultKind, Integer> happened = new EnumMap<>(FaultKind.class);
  private int count;
  private int failed;
  private int hung;

  Nemesis(Healing healing, Faults faults, Windows windows, long origin) {
    this.healing = healing;
    this.faults = faults;
    this.windows = windows;
    this.origin = origin;
  }

  /**
   * Goes on until this moment; the last fault may end later.
   *
   * @param every whether it goes on until each kind has come about
   * @throws AssertionError when the cluster does not heal
   */
  void run(long until, boolean every) throws InterruptedException {
    int most = TRIES * faults.kinds().size();
    while (System.nanoTime() < until || (every && !missing().isEmpty() && count < most)) {
      Thread.sleep(PEACE_MILLIS);
      once(faults.next());
    }
  }

  private void once(Faults.Drawn drawn) throws InterruptedException {
    Fault fault = drawn.fault();
    count++;
    tell(fault.describe());
    windows.open(System.nanoTime(), fault.isolates());
    try {
      fault.begin();
      if (fault.lasts()) {
        Thread.sleep(faults.lasts());
      }
      fault.verify();
      happened.merge(drawn.kind(), 1, Integer::sum);
    } catch (RuntimeException | AssertionError e) {
      failed++;
      tell("  did not go as it should: " + e.toString().lines().findFirst().orElse(""));
    } finally {
      fault.end();
    }
    tell("  ended");
    heal();
  }

  private void heal() throws InterruptedException {
    windows.agreed(healing.agreed());
    tell("  one cluster state, for some seconds");
    int anew = healing.green();
    if (anew > 0) {
      hung += anew;
      tell("  " + anew + " recoveries hung and were begun anew");
    }
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

  /** What has not come about yet, or only in part. */
  List<FaultKind> missing() {
    return faults.kinds().stream()
        .filter(kind -> happened.getOrDefault(kind, 0) < kind.whole())
        .toList();
  }

  /** What has come about, and how often. */
  Map<FaultKind, Integer> happened() {
    return happened;
  }

  /** How many recoveries hung, which OpenSearch does not end. */
  int hung() {
    return hung;
  }

  /** What was seen of them. */
  List<String> hungInWords() {
    return healing.hung();
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
