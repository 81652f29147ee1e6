package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/**
 * Where a term stands in a sorted dictionary, or would: every 64th term cut to eight bytes, and a
 * mark of one byte for each.
 *
 * @see OrdinalListsDocValuesFormat
 */
final class TermSamples {
  /** The terms that one sample stands for: a block that Lucene's doc values decode at once. */
  static final int BLOCK_SHIFT = 6;

  static final int BLOCK = 1 << BLOCK_SHIFT;
  static final int MAX_PREFIX = 255;

  private static final long ONES = 0x0101_0101_0101_0101L;

  private final BytesRef prefix;
  private final RandomAccessInput marks;
  private final RandomAccessInput samples;
  private final long terms;

  /** The last block whose first term is surely below the term that was sought, or -1. */
  long below;

  /** The last block whose first term is not surely above it, or -1. */
  long notAbove;

  TermSamples(BytesRef prefix, RandomAccessInput marks, RandomAccessInput samples, long terms) {
    this.prefix = prefix;
    this.marks = marks;
    this.samples = samples;
    this.terms = terms;
  }

  static long blocks(long terms) {
    return (terms - 1 >>> BLOCK_SHIFT) + 1;
  }

  /** Writes marks and samples of a dictionary that is not empty. */
  static void write(SortedSetDocValues dictionary, IndexOutput meta, IndexOutput data)
      throws IOException {
    long terms = dictionary.getValueCount();
    BytesRef first = BytesRef.deepCopyOf(dictionary.lookupOrd(0));
    int common =
        terms == 1
            ? first.length
            : StringHelper.bytesDifference(first, dictionary.lookupOrd(terms - 1));
    int prefix = Math.min(common, MAX_PREFIX);
    meta.writeVInt(prefix);
    meta.writeBytes(first.bytes, first.offset, prefix);
    meta.writeVLong(data.getFilePointer());
    ByteBuffersDataOutput samples = new ByteBuffersDataOutput();
    for (long ord = 0; ord < terms; ord++) {
      BytesRef term = dictionary.lookupOrd(ord);
      data.writeByte(mark(term));
      if ((ord & BLOCK - 1) == 0) {
        samples.writeLong(sample(term, prefix));
      }
    }
    for (long ord = terms; ord < blocks(terms) << BLOCK_SHIFT; ord++) {
      data.writeByte((byte) 0);
    }
    meta.writeVLong(data.getFilePointer());
    samples.copyTo(data);
  }

  private static byte mark(BytesRef term) {
    return (byte) StringHelper.murmurhash3_x86_32(term, 0);
  }

  private static long sample(BytesRef term, int prefix) {
    long sample = 0;
    for (int i = prefix; i < prefix + Long.BYTES; i++) {
      sample = sample << 8 | (i < term.length ? term.bytes[term.offset + i] & 0xff : 0);
    }
    return sample;
  }

  /**
   * Sets {@link #below} and {@link #notAbove}.
   *
   * @return false if the term is above all terms, which is known without looking
   */
  boolean seek(BytesRef term) throws IOException {
    below = notAbove = -1;
    for (int i = 0; i < prefix.length; i++) {
      int difference =
          i == term.length
              ? -1
              : Byte.compareUnsigned(term.bytes[term.offset + i], prefix.bytes[prefix.offset + i]);
      if (difference != 0) {
        return difference < 0;
      }
    }
    long sought = sample(term, prefix.length);
    below = last(sought, -1, false);
    boolean equal =
        below + 1 < blocks(terms) && samples.readLong((below + 1) * Long.BYTES) == sought;
    notAbove = equal ? last(sought, below + 1, true) : below;
    return true;
  }

  /** The last block after {@code low} whose sample is below (or equal), or {@code low}. */
  private long last(long sought, long low, boolean orEqual) throws IOException {
    long high = blocks(terms);
    while (high - low > 1) {
      long middle = low + high >>> 1;
      int difference = Long.compareUnsigned(samples.readLong(middle * Long.BYTES), sought);
      if (difference < 0 || (orEqual && difference == 0)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The terms of a block that bear a term's mark, a bit for each, the first the lowest. */
  long marked(long block, BytesRef term) throws IOException {
    long pattern = (mark(term) & 0xff) * ONES;
    long found = 0;
    for (int i = 0; i < BLOCK; i += Long.BYTES) {
      long different = marks.readLong((block << BLOCK_SHIFT) + i) ^ pattern;
      // the high bit of each byte that is zero, without carries between bytes
      long high = ~((different & ~(ONES << 7)) + ~(ONES << 7) | different | ~(ONES << 7));
      found |= (high >>> 7) * 0x0102_0408_1020_4080L >>> 56 << i;
    }
    long left = terms - (block << BLOCK_SHIFT);
    return left < BLOCK ? found & (1L << left) - 1 : found;
  }
}
