package io.millrace.corpus;

/**
 * A small random generator with a fixed definition.
 *
 * <p>Why not {@link java.util.Random} or SplittableRandom: the bounded methods' algorithms are not
 * part of their contract over JDK versions; a corpus has to be the same bytes in ten years. The
 * step is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA
 * 2014), all in integer arithmetic.
 */
public final class Prng {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;
  private long state;

  public Prng(long seed) {
    this.state = mix(seed + GAMMA);
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** 64 uniformly random bits. */
  public long bits() {
    state += GAMMA;
    return mix(state);
  }

  /**
   * A number in {@code [0, bound)}. The bias is below {@code bound / 2^32}, which test data bears.
   *
   * @param bound exclusive, at least 1
   */
  public int below(int bound) {
    return (int) (((bits() >>> 32) * bound) >>> 32);
  }

  /** A number in {@code [low, high]}, both inclusive; {@code high - low} below 2^62. */
  public long between(long low, long high) {
    long span = high - low + 1;
    if (span <= Integer.MAX_VALUE) {
      return low + below((int) span);
    }
    return low + Math.floorMod(bits(), span);
  }

  /** True in {@code percent} of 100 calls. */
  public boolean percent(int percent) {
    return below(100) < percent;
  }
}
