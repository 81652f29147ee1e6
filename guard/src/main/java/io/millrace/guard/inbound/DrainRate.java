package io.millrace.guard.inbound;

import java.util.function.LongSupplier;

/** How many bytes come back per second, smoothed over seconds; its user takes turns. */
final class DrainRate {
  private static final long SECOND = 1_000_000_000L;

  private final LongSupplier nanoTime;
  private long since;
  private long drained;
  private double rate;

  DrainRate(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.since = nanoTime.getAsLong();
  }

  void count(long bytes) {
    drained += bytes;
    long now = nanoTime.getAsLong();
    long elapsed = now - since;
    if (elapsed >= SECOND) {
      double latest = drained * (double) SECOND / elapsed;
      rate = rate == 0 ? latest : 0.7 * rate + 0.3 * latest;
      drained = 0;
      since = now;
    }
  }

  /** Bytes per second; 0 until the first second has passed. */
  double perSecond() {
    return rate;
  }

  /** In how many seconds so many bytes will have come back: 1 to 30, 5 while nothing is known. */
  int secondsFor(long bytes) {
    return rate < 1 ? 5 : (int) Math.clamp(Math.ceil(bytes / rate), 1, 30);
  }
}
