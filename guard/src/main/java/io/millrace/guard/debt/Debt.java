package io.millrace.guard.debt;

/**
 * Time that the collector took while the heap was full, and what follows from it.
 *
 * <p>Every second of collecting with more than the full mark alive adds a second; every second
 * below the mark takes two away, or a fifth of what is left where that is more, and a second at the
 * mark in which the collector rested takes one. So one long full collection that frees memory is
 * forgiven at once, a sequence that frees nothing is not. And a node that does not leave ({@code
 * leave_after: 1d}) owes hours after hours of collecting; once its heap is free, it serves again
 * within a minute all the same.
 */
final class Debt {
  /** What a node in debt does; each includes the ones before. */
  enum Stage {
    NONE,
    SHED,
    CANCEL,
    LEAVE
  }

  private static final double PAID_IN_MILLIS = 5_000;

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
    millis += full ? busy - (elapsed - busy) : -elapsed * Math.max(2, millis / PAID_IN_MILLIS);
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
