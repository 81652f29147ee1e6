package io.millrace.corpus;

/**
 * Draws ranks with Zipfian frequencies, because hosts, users and paths in logs are skewed: a few
 * make most of the lines, and dictionary compression and term caches live on that.
 *
 * <p>Walker's alias method: two integers per rank, one random number per draw. The weights are
 * computed with {@link StrictMath}, so the tables are the same on every JDK.
 */
public final class Zipf {
  private final int[] threshold;
  private final int[] alias;

  /**
   * @param size number of ranks, at least 1
   * @param exponent the skew; 0 is uniform, 1 is the classic
   */
  public Zipf(int size, double exponent) {
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1, was " + size);
    }
    threshold = new int[size];
    alias = new int[size];
    double[] weight = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      weight[i] = 1.0 / StrictMath.pow(i + 1, exponent);
      sum += weight[i];
    }
    int[] small = new int[size];
    int[] large = new int[size];
    int smalls = 0;
    int larges = 0;
    for (int i = 0; i < size; i++) {
      weight[i] = weight[i] * size / sum;
      if (weight[i] < 1) {
        small[smalls++] = i;
      } else {
        large[larges++] = i;
      }
    }
    while (smalls > 0 && larges > 0) {
      int less = small[--smalls];
      int more = large[--larges];
      threshold[less] = scaled(weight[less]);
      alias[less] = more;
      weight[more] = weight[more] + weight[less] - 1;
      if (weight[more] < 1) {
        small[smalls++] = more;
      } else {
        large[larges++] = more;
      }
    }
    while (larges > 0) {
      int rank = large[--larges];
      threshold[rank] = Integer.MAX_VALUE;
      alias[rank] = rank;
    }
    while (smalls > 0) {
      int rank = small[--smalls];
      threshold[rank] = Integer.MAX_VALUE;
      alias[rank] = rank;
    }
  }

  private static int scaled(double probability) {
    return (int) Math.min(Integer.MAX_VALUE, (long) (probability * Integer.MAX_VALUE));
  }

  /** A rank, 0 being the most frequent. */
  public int draw(Prng random) {
    long bits = random.bits();
    int rank = (int) (((bits >>> 32) * threshold.length) >>> 32);
    return (int) (bits & Integer.MAX_VALUE) <= threshold[rank] ? rank : alias[rank];
  }
}
