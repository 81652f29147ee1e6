package io.millrace.kernel.metric;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * How long something took: exact count and sum, and quantiles within 1 % (HdrHistogram, two digits,
 * 1 us to 1 hour; about 30 KiB). Safe for one or more writers and readers.
 */
public final class Durations {
  private static final long LONGEST_MICROS = 3_600_000_000L;
  private static final double[] QUANTILES = {50, 90, 99, 99.9};

  private final Histogram micros = new Histogram(1, LONGEST_MICROS, 2);
  private long nanos;

  /** Adds one. */
  public synchronized void record(long durationNanos) {
    nanos += Math.max(0, durationNanos);
    micros.recordValue(Math.max(0, Math.min(LONGEST_MICROS, durationNanos / 1000)));
  }

  /** How many. */
  public synchronized long count() {
    return micros.getTotalCount();
  }

  /** All of them together. */
  public synchronized long totalNanos() {
    return nanos;
  }

  /** The longest, within 1 %; 0 where there was none. */
  public synchronized long maxMicros() {
    return micros.getMaxValue();
  }

  /**
   * A quantile.
   *
   * @param percentile 0 to 100
   * @return microseconds, within 1 %; 0 where there was none
   */
  public synchronized long micros(double percentile) {
    return micros.getTotalCount() == 0 ? 0 : micros.getValueAtPercentile(percentile);
  }

  /**
   * How many took no longer than each bound, as Prometheus' cumulative buckets want it.
   *
   * @param boundsMicros ascending
   */
  public synchronized long[] atMost(long... boundsMicros) {
    long[] counts = new long[boundsMicros.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = micros.getCountBetweenValues(0, boundsMicros[i]);
    }
    return counts;
  }

  /** Count, total, longest and quantiles. */
  public synchronized Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("count", count());
    report.put("total_in_micros", nanos / 1000);
    report.put("max_in_micros", maxMicros());
    for (double quantile : QUANTILES) {
      String name = quantile == Math.rint(quantile) ? "p" + (int) quantile : "p" + quantile;
      report.put(name + "_in_micros", micros(quantile));
    }
    return report;
  }
}
