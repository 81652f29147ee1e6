package io.millrace.guard.lanes;

/**
 * The places of one lane: how many are taken, and who waits for one.
 *
 * <p>Not safe for threads: its owner holds a lock.
 */
final class LanePlaces {
  private final FairLine line = new FairLine();
  private int taken;

  FairLine line() {
    return line;
  }

  int taken() {
    return taken;
  }

  void take() {
    taken++;
  }

  void leave() {
    taken--;
  }
}
