package io.millrace.write.lateinversion;

import io.millrace.kernel.text.LittleEndian;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBlockPool;

/**
 * The terms of one field in the documents of a segment that is being written; for one thread.
 *
 * <p>A term is known by a number. A small table tells the number of what came lately, so that words
 * and templates that come again and again cost no bytes; a term that has fallen out of the table
 * gets another number, and {@link SortedTerms} finds that both are the same. So nothing is ever
 * looked up in a structure that outgrows the processor's cache: what is written is written at the
 * end, and what is read lies in the table or was read lately.
 */
final class FieldTerms {
  /** Entries of the table at most: 320 KiB, which a processor's own cache holds. */
  private static final int MOST_RECENT = 1 << 14;

  /** Bytes of a term that fit into a key. */
  private static final int SHORT = 15;

  /** Where the length of a short term stands in its key; all ones there for longer terms. */
  private static final int LENGTH = 56;

  /** The highest bits of a product are those that all bits of its factors have made. */
  private static final int HASH_SHIFT = Long.numberOfLeadingZeros(MOST_RECENT - 1);

  private static final long MIX = 0x9e3779b97f4a7c15L;

  final BytesRefBlockPool pool;

  // by number of a term: where it begins in the pool
  int[] texts = new int[64];
  int terms;

  // the numbers of all terms of all documents, in order
  int[] numbers = new int[256];
  int count;

  // documents with a value, in order, and where the numbers of each end
  int[] documents = new int[64];
  int[] ends = new int[64];
  int values;

  // the terms that came lately, by the hash of their key: two halves of the key
  private long[] keys = new long[2 * 64];

  // and the number plus one
  private int[] recent = new int[64];

  // counted as it grows: Lucene asks after each document, and the arrays are anywhere in memory
  private long held =
      4L
          * (texts.length
              + numbers.length
              + documents.length
              + ends.length
              + 5 * recent.length
              + 32);
  private final BytesRef term = new BytesRef();
  private final BytesRef known = new BytesRef();

  FieldTerms(BytesRefBlockPool pool) {
    this.pool = pool;
  }

  /** Takes a value that {@link TermWriter} has written. */
  void add(int document, BytesRef written) {
    byte[] bytes = written.bytes;
    int at = written.offset;
    int end = at + written.length;
    while (at < end) {
      int length = TermWriter.length(bytes, at);
      at += Short.BYTES;
      if (count == numbers.length) {
        numbers = grown(numbers);
      }
      numbers[count++] = number(bytes, at, length);
      at += length;
    }
    if (values == documents.length) {
      documents = grown(documents);
      ends = grown(ends);
    }
    documents[values] = document;
    ends[values++] = count;
    term.bytes = BytesRef.EMPTY_BYTES;
  }

  /**
   * The number of a term. A short one stands in its key as a whole, so that what came lately is
   * known by one look at the table; a longer one is compared with what the pool has, too.
   */
  private int number(byte[] bytes, int at, int length) {
    long low;
    long high;
    if (length > SHORT) {
      low = hash(bytes, at, length);
      high = -1L << LENGTH | length;
    } else if (at + 2 * Long.BYTES <= bytes.length) {
      long mask = ~(-1L << 8 * length); // of the half in which the term ends
      low = LittleEndian.getLong(bytes, at);
      high = LittleEndian.getLong(bytes, at + Long.BYTES) & mask;
      if (length < Long.BYTES) {
        low &= mask;
        high = 0;
      }
      high |= (long) length << LENGTH;
    } else {
      low = firstBytes(bytes, at, Math.min(length, Long.BYTES));
      high = firstBytes(bytes, at + Long.BYTES, length - Long.BYTES);
      high |= (long) length << LENGTH;
    }
    long hash = (low ^ high * MIX) * MIX;
    hash = (hash ^ hash >>> 32) * MIX;
    int slot = (int) (hash >>> HASH_SHIFT) & recent.length - 1;
    int number = recent[slot] - 1;
    if (number >= 0 && keys[2 * slot] == low && keys[2 * slot + 1] == high) {
      if (length <= SHORT) {
        return number;
      }
      pool.fillBytesRef(known, texts[number]);
      if (Arrays.equals(
          known.bytes, known.offset, known.offset + known.length, bytes, at, at + length)) {
        return number;
      }
    }
    if (terms == texts.length) {
      texts = grown(texts);
    }
    term.bytes = bytes;
    term.offset = at;
    term.length = length;
    texts[terms] = pool.addBytesRef(term);
    keys[2 * slot] = low;
    keys[2 * slot + 1] = high;
    recent[slot] = ++terms;
    if (terms == recent.length && terms < MOST_RECENT) {
      held += 20L * 3 * recent.length;
      recent = new int[4 * terms];
      keys = new long[2 * recent.length];
    }
    return terms - 1;
  }

  /** Bytes from the lowest on; none if the count is below one. */
  private static long firstBytes(byte[] bytes, int at, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value |= (bytes[at + i] & 0xFFL) << 8 * i;
    }
    return value;
  }

  private static long hash(byte[] bytes, int at, int length) {
    long hash = 0;
    int end = at + length;
    int i = at;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      hash = (hash ^ LittleEndian.getLong(bytes, i)) * MIX;
      hash ^= hash >>> 32;
    }
    for (; i < end; i++) {
      hash = (hash ^ bytes[i]) * MIX;
    }
    return hash;
  }

  /** By half: growing by an eighth, as Lucene's arrays do, would copy a number eight times. */
  private int[] grown(int[] array) {
    int length = ArrayUtil.oversize(array.length + (array.length >> 1), 4);
    held += 4L * (length - array.length);
    return Arrays.copyOf(array, length);
  }

  /** Heap that it holds beside the pool, bytes. */
  long ramBytesUsed() {
    return held;
  }
}
