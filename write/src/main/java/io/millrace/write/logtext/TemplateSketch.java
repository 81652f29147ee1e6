package io.millrace.write.logtext;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which templates come again: a template is worth a dictionary entry only when it has come a few
 * times.
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

  /** Memory of one sketch in bytes, with that of the holes. */
  static final long BYTES = SLOTS * 8L + HoleSketch.BYTES;

  /** Sights from which a template counts. */
  static final int SIGHTS = 4;

  /** Templates that count at most, over the time that the index is open. */
  static final int MOST = 1 << 13;

  /** Templates that may count before any has paid. */
  static final int FIRST = 1 << 10;

  /** Messages with a template for each further template that may count. */
  static final int MESSAGES_EACH = 64;

  private static final int WINDOW = 1024;
  private static final int TRY_ONE_OF = 16;
  private static final int WAYS = 4;
  private static final int COUNT_BITS = 8;
  private static final long MAX_COUNT = (1L << COUNT_BITS) - 1;

  private final AtomicLongArray slots = new AtomicLongArray(SLOTS);
  final HoleSketch holes = new HoleSketch();
  private final AtomicIntegerArray tries = new AtomicIntegerArray(3);
  private final AtomicInteger admitted = new AtomicInteger();
  private volatile boolean idle;
  final LongAdder known = new LongAdder();
  final LongAdder unknown = new LongAdder();

  /**
   * Whether a message should be split at all: while few of the last messages had a template that
   * counts, only some are, so that free text costs little more than without templates.
   */
  boolean worthATry() {
    int seen = tries.getOpaque(0) + 1;
    tries.setOpaque(0, seen);
    return !idle || seen % TRY_ONE_OF == 0;
  }

  private void noteTry(boolean counted) {
    int tried = tries.getOpaque(1) + 1;
    int hits = tries.getOpaque(2) + (counted ? 1 : 0);
    if (tried >= WINDOW) {
      idle = hits < WINDOW / 16;
      tried = 0;
      hits = 0;
    }
    tries.setOpaque(1, tried);
    tries.setOpaque(2, hits);
  }

  /** Notes what became of a message that was split. */
  boolean tried(boolean counted) {
    noteTry(counted);
    (counted ? known : unknown).increment();
    return counted;
  }

  /**
   * Whether one more template may count. A search looks at each template of a segment, and a
   * template that few messages have saves little: so there are as many as pay on average, and never
   * more than {@link #MOST}. Templates that count already go on counting.
   */
  private boolean admits() {
    long so = admitted.get();
    return so < MOST && so < FIRST + known.sum() / MESSAGES_EACH && admitted.incrementAndGet() > 0;
  }

  /** Templates that were let count so far. */
  int admitted() {
    return admitted.get();
  }

  /**
   * Notes a sight of a template.
   *
   * @param hash of the template, well mixed
   * @return whether it was seen often enough to count
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
        if (count + 1 == SIGHTS && !admits()) {
          return false;
        }
        if (count < MAX_COUNT) {
          slots.setOpaque(i, slot + 1);
        }
        return count + 1 >= SIGHTS;
      }
      if (count < smallestCount) {
        smallestCount = count;
        smallest = i;
      }
    }
    slots.setOpaque(smallest, smallestCount == 0 ? print | 1 : slots.getOpaque(smallest) - 1);
    return false;
  }
}
