package io.millrace.write.lateinversion;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBlockPool;
import org.apache.lucene.util.StringHelper;

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
  /** Entries of the table at most: with what they lead to, they stay in a processor's cache. */
  private static final int MOST_RECENT = 1 << 14;

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

  // the terms that came lately, two places each: the hash, and the number plus one
  private int[] recent = new int[2 * 64];

  // counted as it grows: Lucene asks after each document, and the arrays are anywhere in memory
  private long held =
      4L * (texts.length + numbers.length + documents.length + ends.length + recent.length + 32);
  private final BytesRef term = new BytesRef();
  private final BytesRef known = new BytesRef();

  FieldTerms(BytesRefBlockPool pool) {
    this.pool = pool;
  }

  /** Takes a value that {@link TermWriter} has written. */
  void add(int document, BytesRef written) {
    term.bytes = written.bytes;
    int at = written.offset;
    int end = at + written.length;
    while (at < end) {
      TermWriter.at(term, at);
      at = term.offset + term.length;
      if (count == numbers.length) {
        numbers = grown(numbers);
      }
      numbers[count++] = number();
    }
    if (values == documents.length) {
      documents = grown(documents);
      ends = grown(ends);
    }
    documents[values] = document;
    ends[values++] = count;
    term.bytes = BytesRef.EMPTY_BYTES;
  }

  private int number() {
    int hash =
        StringHelper.murmurhash3_x86_32(
            term.bytes, term.offset, term.length, StringHelper.GOOD_FAST_HASH_SEED);
    int slot = 2 * hash & recent.length - 1;
    int number = recent[slot + 1] - 1;
    if (number >= 0 && recent[slot] == hash) {
      pool.fillBytesRef(known, texts[number]);
      if (known.bytesEquals(term)) {
        return number;
      }
    }
    if (terms == texts.length) {
      texts = grown(texts);
    }
    texts[terms] = pool.addBytesRef(term);
    recent[slot] = hash;
    recent[slot + 1] = ++terms;
    if (2 * terms == recent.length && terms < MOST_RECENT) {
      held += 4L * (8 * terms - recent.length);
      recent = new int[8 * terms];
    }
    return terms - 1;
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
