package io.millrace.bench.stats;

import java.util.Arrays;
import java.util.List;

/**
 * The figures of one measure over the rounds of a run, in the order of the rounds.
 *
 * <p>Medians, not means: on a shared machine single rounds are disturbed, and a disturbed round is
 * always slower, never faster. The spread stands beside each median so that a reader sees how far a
 * figure can be trusted.
 */
public final class Series {
  private final double[] values;
  private final double[] sorted;

  private Series(double[] values) {
    this.values = values;
    this.sorted = values.clone();
    Arrays.sort(sorted);
  }

  /** A series of these values; at least one, all finite. */
  public static Series of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a series needs at least one value");
    }
    for (double value : values) {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("not a finite figure: " + value);
      }
    }
    return new Series(values.clone());
  }

  public static Series of(List<Double> values) {
    return of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** The values in the order of the rounds. */
  public double[] values() {
    return values.clone();
  }

  public int size() {
    return values.length;
  }

  public double min() {
    return sorted[0];
  }

  public double max() {
    return sorted[sorted.length - 1];
  }

  /** The middle value, or the mean of the two in the middle. */
  public double median() {
    return percentile(50);
  }

  /**
   * Linear interpolation between the closest ranks (Hyndman and Fan 1996, type 7).
   *
   * @param percent 0 to 100
   */
  public double percentile(double percent) {
    if (percent < 0 || percent > 100) {
      throw new IllegalArgumentException("percent must be within 0 and 100: " + percent);
    }
    double rank = percent / 100 * (sorted.length - 1);
    int low = (int) Math.floor(rank);
    int high = (int) Math.ceil(rank);
    return sorted[low] + (sorted[high] - sorted[low]) * (rank - low);
  }

  /** Half the distance from the lowest to the highest value, as a share of the median. */
  public double spread() {
    double median = median();
    return median == 0 ? 0 : (max() - min()) / 2 / Math.abs(median);
  }

  /**
   * This series divided by another, round by round: the two sides of one round ran next to each
   * other, so what disturbed the machine for minutes disturbed both.
   *
   * @throws IllegalArgumentException when the numbers of rounds differ
   */
  public Series over(Series baseline) {
    if (baseline.size() != size()) {
      throw new IllegalArgumentException(
          "pairs need equal numbers of rounds: " + size() + " and " + baseline.size());
    }
    double[] ratios = new double[values.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = values[i] / baseline.values[i];
    }
    return of(ratios);
  }
}
