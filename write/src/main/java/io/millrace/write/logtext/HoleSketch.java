package io.millrace.write.logtext;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which holes of templates nearly always hold the same value: versions, names of protocols and
 * algorithms, fixed ports. Such a value belongs into the template.
 *
 * <p>A slot for each hole, with a fingerprint of its value and a count: a sight of that value adds
 * one, a sight of another takes {@value #LOSS}, and a value whose count is used up gives way. So a
 * value stays only where more than {@value #LOSS} of {@value #LOSS} + 1 sights are its own. Holes
 * that share a slot push each other out. Updates race without locks. Whatever this says changes no
 * answer, since queries take each document as it was written.
 */
final class HoleSketch {
  static final int SLOTS = 1 << 13;

  /** Memory of one sketch in bytes. */
  static final long BYTES = SLOTS * 8L;

  /** Sights in a row from which a value is the usual one. */
  static final int SIGHTS = 16;

  private static final int LOSS = 7;
  private static final int COUNT_BITS = 8;
  private static final long MAX_COUNT = 64;
  private static final long COUNT = (1L << COUNT_BITS) - 1;

  private final AtomicLongArray slots = new AtomicLongArray(SLOTS);

  /**
   * Notes what a hole holds.
   *
   * @param hole of a template, as a well mixed hash of both
   * @param value as a well mixed hash
   * @return whether this is what the hole nearly always holds
   */
  boolean usual(long hole, long value) {
    int at = (int) (hole >>> Long.SIZE - 13);
    long slot = slots.getOpaque(at);
    long count = slot & COUNT;
    long print = value & ~COUNT;
    if (print == (slot & ~COUNT) && count > 0) {
      if (count < MAX_COUNT) {
        slots.setOpaque(at, slot + 1);
      }
      return count >= SIGHTS;
    }
    slots.setOpaque(at, count <= LOSS ? print | 1 : slot - LOSS);
    return false;
  }
}
