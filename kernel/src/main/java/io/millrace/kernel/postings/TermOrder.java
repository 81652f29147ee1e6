package io.millrace.kernel.postings;

import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBlockPool;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.BytesRefComparator;
import org.apache.lucene.util.StringSorter;

/**
 * The order of terms by their bytes. Sorts the heads of all, one byte after the other from the
 * last; longer terms that share a head are left to Lucene's sorter.
 *
 * <p>A head is the first {@value #HEAD_BYTES} bytes and the length up to {@value #LONGER}. So it
 * says all of a shorter term, which is looked at in the pool no second time.
 */
public final class TermOrder {
  private static final int HEAD_BYTES = 7;

  /** Stands for every length of a term that is longer than a head. */
  private static final int LONGER = HEAD_BYTES + 1;

  private final BytesRefBlockPool pool;
  private final int[] texts;
  private final BytesRef one = new BytesRef();
  private final BytesRef other = new BytesRef();
  private int[] order;
  private long[] heads;

  private TermOrder(BytesRefBlockPool pool, int[] texts, int count) {
    this.pool = pool;
    this.texts = texts;
    this.order = new int[count];
    this.heads = new long[count];
  }

  /**
   * Numbers of terms in the order of their bytes. Of equal terms all but the first are given as
   * their number's complement ({@code ~number}).
   *
   * @param texts by number: where the term begins in the pool
   */
  public static int[] of(BytesRefBlockPool pool, int[] texts, int count) {
    TermOrder sort = new TermOrder(pool, texts, count);
    sort.byHeads();
    sort.byTails();
    return sort.order;
  }

  private void byHeads() {
    int count = order.length;
    int[][] sizes = new int[Long.BYTES][256];
    for (int i = 0; i < count; i++) {
      order[i] = i;
      long head = head(texts[i]);
      heads[i] = head;
      for (int k = 0; k < Long.BYTES; k++) {
        sizes[k][(int) (head >>> 8 * k) & 0xFF]++;
      }
    }
    int[] nextOrder = new int[count];
    long[] nextHeads = new long[count];
    for (int k = 0; k < Long.BYTES; k++) {
      int[] places = sizes[k];
      if (count == 0 || places[(int) (heads[0] >>> 8 * k) & 0xFF] == count) {
        continue; // all have the same byte
      }
      int place = 0;
      for (int b = 0; b < 256; b++) {
        int size = places[b];
        places[b] = place;
        place += size;
      }
      for (int i = 0; i < count; i++) {
        int to = places[(int) (heads[i] >>> 8 * k) & 0xFF]++;
        nextHeads[to] = heads[i];
        nextOrder[to] = order[i];
      }
      long[] freeHeads = heads;
      heads = nextHeads;
      nextHeads = freeHeads;
      int[] freeOrder = order;
      order = nextOrder;
      nextOrder = freeOrder;
    }
  }

  /**
   * Zeros stand where a term is shorter. Terms that differ in zeros at their end alone are in the
   * order of their lengths, which is that of their bytes.
   */
  private long head(int text) {
    pool.fillBytesRef(one, text);
    long head = 0;
    int length = Math.min(one.length, HEAD_BYTES);
    for (int i = 0; i < length; i++) {
      head |= (one.bytes[one.offset + i] & 0xFFL) << 8 * (HEAD_BYTES - i);
    }
    return head | Math.min(one.length, LONGER);
  }

  private void byTails() {
    int from = 0;
    for (int i = 1; i <= order.length; i++) {
      if (i == order.length || heads[i] != heads[from]) {
        if (i - from > 1) {
          sameHead(from, i);
        }
        from = i;
      }
    }
  }

  private void sameHead(int from, int to) {
    if ((heads[from] & 0xFF) != LONGER) {
      for (int i = from + 1; i < to; i++) {
        order[i] = ~order[i];
      }
      return;
    }
    boolean sorted = true;
    for (int i = from + 1; i < to && sorted; i++) {
      sorted = compare(i - 1, i) <= 0;
    }
    if (!sorted) {
      new Tails().sort(from, to);
    }
    for (int i = to - 1; i > from; i--) {
      if (compare(i - 1, i) == 0) {
        order[i] = ~order[i];
      }
    }
  }

  private int compare(int i, int j) {
    pool.fillBytesRef(one, texts[order[i]]);
    pool.fillBytesRef(other, texts[order[j]]);
    return Arrays.compareUnsigned(
        one.bytes,
        one.offset,
        one.offset + one.length,
        other.bytes,
        other.offset,
        other.offset + other.length);
  }

  private final class Tails extends StringSorter {
    Tails() {
      super(BytesRefComparator.NATURAL);
    }

    @Override
    protected void get(BytesRefBuilder builder, BytesRef result, int i) {
      pool.fillBytesRef(result, texts[order[i]]);
    }

    @Override
    protected void swap(int i, int j) {
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
  }
}
