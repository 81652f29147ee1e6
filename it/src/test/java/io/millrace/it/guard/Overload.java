package io.millrace.it.guard;

import java.time.Duration;
import java.util.Locale;

/**
 * Writers that offer four times what the node can take, beside a small client that behaves.
 *
 * <p>What it can take is measured in the same run, before and after, by two writers that send one
 * bulk after the other: the index grows meanwhile, and its merges with it, so that the capacity of
 * the minutes between is the mean of both. Between them 32 connections send at a pace that makes
 * four times what was measured first; refused bulks are not sent again sooner than the pace allows.
 *
 * @param percent documents per second at 4x, as percent of the mean capacity
 * @param told every figure in words
 */
record Overload(double percent, String told) {
  private static final int BULK = 5000;
  private static final int CONNECTIONS = 32;
  private static final int SMALL_BULK = 10;
  private static final long SMALL_PACE_MILLIS = 200;
  private static final Duration LAST_ANSWERS = Duration.ofMinutes(2);

  /**
   * Runs it.
   *
   * @param seconds for how long the overload lasts; the capacity is measured for a fifth of that,
   *     at least 15 s and at most 2 min, after a warm-up of the same length and again at the end
   */
  static Overload run(int port, int seconds, Acknowledgements acknowledged)
      throws InterruptedException {
    int alone = Math.min(120, Math.max(15, seconds / 5));
    Phase warm = Phase.run(port, 2, 0, alone, acknowledged);
    Phase once = Phase.run(port, 2, 0, alone, acknowledged);
    long pace = Math.round(1000.0 * CONNECTIONS * BULK / (4 * Math.max(1, once.rate())));
    Phase four = Phase.run(port, CONNECTIONS, pace, seconds, acknowledged);
    Phase after = Phase.run(port, 2, 0, alone, acknowledged);
    double capacity = Math.max(1, (once.rate() + after.rate()) / 2);
    double percent = 100 * four.rate() / capacity;
    return new Overload(
        percent,
        String.format(
            Locale.ROOT,
            "capacity %,.0f documents/s before, %,.0f after (warm-up %,.0f, p99 %.1f s);"
                + " at 4x %,.0f = %.1f %% of the mean, p99 of accepted bulks %.1f s,"
                + " refused %,d documents; small client: %d of %d bulks done (at 1x %d of %d),"
                + " p99 %.2f s (%.2f s)",
            once.rate(),
            after.rate(),
            warm.rate(),
            once.writers.p99(),
            four.rate(),
            percent,
            four.writers.p99(),
            four.writers.refusedDocuments(),
            four.small.done(),
            four.offered(),
            once.small.done(),
            once.offered(),
            four.small.p99(),
            once.small.p99()));
  }

  /** Some writers and the small client, for some time. */
  private record Phase(Clients writers, Clients small, double seconds, long during) {
    static Phase run(int port, int writers, long pace, int seconds, Acknowledgements acknowledged)
        throws InterruptedException {
      long began = System.nanoTime();
      Clients many = Clients.writing(port, writers, BULK, pace, acknowledged);
      Clients modest = Clients.writing(port, 1, SMALL_BULK, SMALL_PACE_MILLIS, acknowledged);
      Thread.sleep(seconds * 1000L);
      long during = many.documents();
      double took = (System.nanoTime() - began) / 1e9;
      modest.finish(LAST_ANSWERS);
      many.finish(LAST_ANSWERS);
      return new Phase(many, modest, took, during);
    }

    double rate() {
      return during / seconds;
    }

    long offered() {
      return Math.round(seconds * 1000 / SMALL_PACE_MILLIS);
    }
  }
}
