package io.millrace.pipelines.streams;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long the oldest of what has come into a stage has waited to leave it, from two counts that
 * only grow. Exact to the time between two looks, and right also while nothing moves: a queue's
 * length over its rate says nothing then.
 *
 * <p>Must be used by one thread.
 */
final class Backlog {
  /** What may be kept at most: a stage that keeps taking and never gives is told by its oldest. */
  private static final int MOST = 600;

  private final Deque<Step> steps = new ArrayDeque<>();
  private long in;

  /**
   * @param nanos when no more than {@code before} had come in: what came later came after it
   */
  private record Step(long nanos, long before) {}

  /**
   * Takes the counts of now.
   *
   * @param nanos now; {@code previous} is the look before
   * @param entered how many have come in until now
   * @param left how many of them have gone out, in the order in which they came
   * @return nanoseconds for which the oldest has waited at most; 0 when none waits
   */
  long look(long previous, long nanos, long entered, long left) {
    if (entered < in) {
      steps.clear(); // the counts began again
      in = 0;
    }
    if (entered > in) {
      if (steps.size() < MOST) {
        steps.addLast(new Step(previous, in));
      }
      in = entered;
    }
    while (steps.size() > 1 && second().before() <= left) {
      steps.removeFirst();
    }
    if (left >= in) {
      steps.clear();
    }
    Step oldest = steps.peekFirst();
    return oldest == null ? 0 : nanos - oldest.nanos();
  }

  private Step second() {
    var all = steps.iterator();
    all.next();
    return all.next();
  }
}
