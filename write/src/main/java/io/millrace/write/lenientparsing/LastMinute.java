package io.millrace.write.lenientparsing;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** A count with that of the last minute, in steps of ten seconds. */
final class LastMinute {
  private static final int STEPS = 6;
  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final long start;
  private final long[] counts = new long[STEPS];
  private long step;
  private long all;
  private long latest;

  /**
   * @param now nanoseconds of a clock that never goes back
   */
  LastMinute(long now) {
    start = now;
    latest = now;
  }

  /** Counts one. */
  synchronized void add(long now) {
    turn(now);
    counts[(int) (step % STEPS)]++;
    all++;
    latest = Math.max(latest, now);
  }

  /** All that was counted. */
  synchronized long all() {
    return all;
  }

  /** What was counted within the last 50 to 60 seconds. */
  synchronized long lastMinute(long now) {
    turn(now);
    return Arrays.stream(counts).sum();
  }

  /** When something was counted last, nanoseconds. */
  synchronized long latest() {
    return latest;
  }

  private void turn(long now) {
    long current = Math.max(step, (now - start) / STEP_NANOS);
    for (long each = Math.max(step, current - STEPS); each < current; each++) {
      counts[(int) ((each + 1) % STEPS)] = 0;
    }
    step = current;
  }
}
