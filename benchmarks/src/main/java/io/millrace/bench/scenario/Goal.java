package io.millrace.bench.scenario;

import org.jspecify.annotations.Nullable;

/**
 * A figure that was promised: the median over the rounds of one side's measure, alone or divided by
 * another side's of the same round.
 *
 * @param promise the goal in words, as it stands in the project's goal tables
 * @param measure what is held against the bound
 * @param side whose figure it is
 * @param against the side to divide by, or null for the plain figure
 * @param floor a side whose figure is taken off both first: what the measured part costs above it
 *     (null for nothing); for example documents whose message is not indexed at all
 * @param atMost whether the bound is an upper one
 * @param bound the limit
 */
public record Goal(
    String promise,
    Measure measure,
    String side,
    @Nullable String against,
    @Nullable String floor,
    boolean atMost,
    double bound) {

  public static Goal atMost(
      double bound, Measure measure, String side, @Nullable String against, String promise) {
    return new Goal(promise, measure, side, against, null, true, bound);
  }

  public static Goal atLeast(
      double bound, Measure measure, String side, @Nullable String against, String promise) {
    return new Goal(promise, measure, side, against, null, false, bound);
  }

  /** The same goal on what both sides cost above a third. */
  public Goal above(String floorSide) {
    return new Goal(promise, measure, side, against, floorSide, atMost, bound);
  }
}
