package io.millrace.write.logtext;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which templates come again: a template is worth a dictionary entry only from its second sight on.
 *
 * <p>A table of buckets of four, each slot a fingerprint and a count. A known fingerprint counts
 * up; an unknown one takes an empty slot, or takes one off the smallest count of its bucket until
 * that is empty (the idea of Misra and Gries, "Finding repeated elements", 1982: what is frequent
 * stays, whatever noise passes through). So the memory is fixed, {@value #SLOTS} slots of 8 bytes,
 * and no more templates than slots can be current. Updates race without locks: a lost count delays
 * a template by one sight and changes no answer, since queries take each document as it was
 * written.
 */
final class TemplateSketch {
  /** Templates that can be current at most. */
  static final int SLOTS = 1 << 14;

  /** Memory of one sketch in bytes. */
  static final long BYTES = SLOTS * 8L;

  private static final int WAYS = 4;
  private static final int COUNT_BITS = 8;
  private static final long MAX_COUNT = (1L << COUNT_BITS) - 1;

  private final AtomicLongArray slots = new AtomicLongArray(SLOTS);
  final LongAdder known = new LongAdder();
  final LongAdder unknown = new LongAdder();

  /**
   * Notes a sight of a template.
   *
   * @param hash of the template, well mixed
   * @return whether it was seen before
   */
  boolean seenBefore(long hash) {
    int bucket = (int) (hash & (SLOTS / WAYS - 1)) * WAYS;
    long print = hash >>> COUNT_BITS << COUNT_BITS;
    if (print == 0) {
      print = 1L << COUNT_BITS;
    }
    int smallest = bucket;
    long smallestCount = Long.MAX_VALUE;
    for (int i = bucket; i < bucket + WAYS; i++) {
      long slot = slots.getOpaque(i);
      long count = slot & MAX_COUNT;
      if ((slot & ~MAX_COUNT) == print && count > 0) {
        if (count < MAX_COUNT) {
          slots.setOpaque(i, slot + 1);
        }
        known.increment();
        return true;
      }
      if (count < smallestCount) {
        smallestCount = count;
        smallest = i;
      }
    }
    unknown.increment();
    slots.setOpaque(smallest, smallestCount == 0 ? print | 1 : slots.getOpaque(smallest) - 1);
    return false;
  }
}
