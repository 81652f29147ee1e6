package io.millrace.guard.debt;

/**
 * Time that the collector took while the heap was full, and what follows from it.
 *
 * <p>Every second of collecting with more than the full mark alive adds a second; every second
 * below the mark takes two away, and a second at the mark in which the collector rested takes one.
 * So one long full collection that frees memory is forgiven at once, a sequence that frees nothing
 * is not.
 */
final class Debt {
  /** What a node in debt does; each includes the ones before. */
  enum Stage {
    NONE,
    SHED,
    CANCEL,
    LEAVE
  }

  private double millis;

  /**
   * One look.
   *
   * @param elapsed since the last look, milliseconds
   * @param collecting of it in collections, milliseconds
   * @param full whether more than the mark outlived
   * @return the debt, milliseconds
   */
  double look(double elapsed, double collecting, boolean full) {
    double busy = Math.min(elapsed, Math.max(0, collecting));
    millis += full ? busy - (elapsed - busy) : -2 * elapsed;
    millis = Math.max(0, millis);
    return millis;
  }

  double millis() {
    return millis;
  }

  /** The stage for limits in milliseconds. */
  Stage stage(long shed, long cancel, long leave) {
    if (millis >= leave) {
      return Stage.LEAVE;
    }
    if (millis >= cancel) {
      return Stage.CANCEL;
    }
    return millis >= shed ? Stage.SHED : Stage.NONE;
  }
}
