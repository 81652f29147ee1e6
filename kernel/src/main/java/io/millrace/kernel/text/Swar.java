package io.millrace.kernel.text;

/**
 * SIMD within a register: the eight bytes of a {@code long} are looked at at once, without a branch
 * for any of them. An answer is the highest bit of each byte.
 */
public final class Swar {
  /** One in each byte; a byte times this is that byte in each. */
  public static final long ONES = 0x0101010101010101L;

  /** The highest bit of each byte. */
  public static final long HIGHS = 0x8080808080808080L;

  private Swar() {}

  /** Bytes that are zero. Exact up to the first one; above it, bits may stand for other bytes. */
  public static long zeros(long eight) {
    return eight - ONES & ~eight & HIGHS;
  }

  /**
   * Bytes from {@code first} to {@code last}, both included.
   *
   * @param low eight bytes of ASCII
   */
  public static long between(long low, char first, char last) {
    return low + (0x80 - first) * ONES & ~(low + (0x80 - last - 1) * ONES) & HIGHS;
  }
}
