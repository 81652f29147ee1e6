package io.millrace.cluster.balance;

/**
 * How fast a counter grows, as an average in which the past fades.
 *
 * <p>A plain exponential average begins at zero and is far too low for as long as its window. This
 * one divides by the weight that has been seen so far, so that its second look is already right.
 */
final class DecayedRate {
  private final long startNanos;
  private long lastNanos;
  private long lastCount;
  private double sum;
  private double weight;
  private double last;

  DecayedRate(long nanos, long count) {
    startNanos = nanos;
    lastNanos = nanos;
    lastCount = count;
  }

  /**
   * The counter stands at {@code count} now.
   *
   * @param windowNanos the time after which a rate of the past counts for 37 percent
   */
  void look(long nanos, long count, long windowNanos) {
    long passed = nanos - lastNanos;
    if (passed <= 0) {
      return;
    }
    double kept = Math.exp(-(double) passed / windowNanos);
    // a counter that went back belongs to a new shard of the same name
    double rate = Math.max(0, count - lastCount) * 1e9 / passed;
    sum = sum * kept + rate * (1 - kept);
    weight = weight * kept + (1 - kept);
    last = rate;
    lastNanos = nanos;
    lastCount = count;
  }

  /** Growth of the counter in a second between the last two looks. */
  double lastPerSecond() {
    return last;
  }

  /** Growth of the counter in a second; 0 before the second look. */
  double perSecond() {
    return weight == 0 ? 0 : sum / weight;
  }

  /** For how long the counter has been looked at. */
  long seenNanos() {
    return lastNanos - startNanos;
  }
}
