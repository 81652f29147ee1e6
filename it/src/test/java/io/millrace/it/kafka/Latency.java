package io.millrace.it.kafka;

import java.util.Arrays;
import java.util.Locale;

/** From produce to searchable, of a range of records. */
record Latency(int records, long p50, long p99, long most) {

  /**
   * @param from the first record, included
   * @param to the last one, excluded
   */
  static Latency of(Moments produced, Arrivals arrivals, int from, int to) {
    long[] millis = new long[to - from];
    for (int n = from; n < to; n++) {
      millis[n - from] = arrivals.at(n) - produced.get(n);
    }
    Arrays.sort(millis);
    return new Latency(
        millis.length, millis[millis.length / 2], millis[millis.length * 99 / 100], last(millis));
  }

  private static long last(long[] sorted) {
    return sorted[sorted.length - 1];
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d records, p50 %.1f s, p99 %.1f s, longest %.1f s",
        records,
        p50 / 1e3,
        p99 / 1e3,
        most / 1e3);
  }
}
