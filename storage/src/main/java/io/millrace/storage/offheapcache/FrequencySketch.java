package io.millrace.storage.offheapcache;

/**
 * How often a key was asked for lately, in half a byte per counter and with a small error upwards.
 *
 * <p>A count-min sketch of four rows whose counters stop at 15 and are all halved after ten
 * questions per expected entry, so that what was hot yesterday makes room. Used by one thread at a
 * time.
 *
 * <p>Sources: Einziger, Friedman, Manes, "TinyLFU: A Highly Efficient Cache Admission Policy"
 * (arXiv 1512.00727), 3.2-3.4; Cormode, Muthukrishnan, "An improved data stream summary" (2005).
 */
final class FrequencySketch {
  static final int MAX = 15;
  private static final long HALF_MASK = 0x7777777777777777L;
  private static final int ROWS = 4;

  private final long[] counters;
  private final int mask;
  private final long sample;
  private long asked;

  /**
   * @param entries how many keys the cache is expected to hold; the sketch takes eight bytes for
   *     each
   */
  FrequencySketch(int entries) {
    int size = Integer.highestOneBit(Math.max(64, entries) * 2 - 1);
    counters = new long[size];
    mask = size - 1;
    sample = 10L * size;
  }

  /** Counts one question for a key with this hash. */
  void increment(long hash) {
    for (int row = 0; row < ROWS; row++) {
      long spread = spread(hash, row);
      int slot = (int) spread & mask;
      int shift = shift(spread);
      if ((counters[slot] >>> shift & MAX) < MAX) {
        counters[slot] += 1L << shift;
      }
    }
    if (++asked >= sample) {
      halve();
    }
  }

  /** The estimate, 0 to {@link #MAX}; never less than the truth since the last halving. */
  int frequency(long hash) {
    int least = MAX;
    for (int row = 0; row < ROWS; row++) {
      long spread = spread(hash, row);
      least = Math.min(least, (int) (counters[(int) spread & mask] >>> shift(spread)) & MAX);
    }
    return least;
  }

  private void halve() {
    for (int i = 0; i < counters.length; i++) {
      counters[i] = counters[i] >>> 1 & HALF_MASK;
    }
    asked /= 2;
  }

  private static int shift(long spread) {
    return (int) (spread >>> 60) << 2;
  }

  private static long spread(long hash, int row) {
    return mix(hash + row * 0x9E3779B97F4A7C15L);
  }

  /** Stafford's variant 13 of the 64-bit finalizer of MurmurHash3, as in SplittableRandom. */
  static long mix(long value) {
    long z = value;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
