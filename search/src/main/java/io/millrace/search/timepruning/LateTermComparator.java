package io.millrace.search.timepruning;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The order of terms, as Lucene's {@code TermOrdValComparator} has it, for a field that is not the
 * first of a sort.
 *
 * <p>Lucene's comparator reads the term of each hit that enters the queue, and looks up the last
 * one's anew for each. In a segment whose documents come in the order of time, and are wanted
 * newest first, that is nearly each match: a block of the dictionary is unpacked for each. Here a
 * hit that enters leaves its ordinal. The terms of those that are still in the queue are read when
 * the segment is done, so at most as many for a segment as hits are wanted; and the last hit is
 * looked for in the dictionary of a segment when a document of that segment is its equal in all
 * fields before.
 *
 * <p>It proposes no documents to be passed over, which Lucene asks of the first field alone.
 */
final class LateTermComparator extends FieldComparator<BytesRef> {
  private static final int NONE = -1;

  private final String field;
  private final SortedSetSelector.Type selector;

  /** What a document without a value has in the place of an ordinal. */
  private final int missing;

  private final int[] ords;

  /** By slot: the number of the segment whose ordinal it has. */
  private final int[] segments;

  private final @Nullable BytesRef[] terms;

  /** By slot: whether its term is still to be read, from the segment that is gone through. */
  private final boolean[] unread;

  private int segment = NONE;
  private @Nullable Leaf leaf;
  private int bottom = NONE;
  private @Nullable BytesRef top;

  /**
   * @param hits how many slots the queue has
   * @param missingLast whether documents without a value have the greatest term in place of the
   *     least, before the order is reversed
   */
  LateTermComparator(String field, SortedSetSelector.Type selector, int hits, boolean missingLast) {
    this.field = field;
    this.selector = selector;
    this.missing = missingLast ? Integer.MAX_VALUE : NONE;
    this.ords = new int[hits];
    this.segments = new int[hits];
    this.terms = new BytesRef[hits];
    this.unread = new boolean[hits];
  }

  @Override
  public int compare(int left, int right) {
    return segments[left] == segments[right]
        ? Integer.compare(ords[left], ords[right])
        : compareValues(value(left), value(right));
  }

  @Override
  public int compareValues(@Nullable BytesRef left, @Nullable BytesRef right) {
    if (left == null || right == null) {
      int ofNull = missing == NONE ? -1 : 1;
      return left == right ? 0 : left == null ? ofNull : -ofNull;
    }
    return left.compareTo(right);
  }

  @Override
  public void setTopValue(@Nullable BytesRef value) {
    top = value;
  }

  @Override
  public @Nullable BytesRef value(int slot) {
    if (unread[slot]) {
      try {
        read(slot);
      } catch (IOException e) {
        throw new UncheckedIOException("a term of [" + field + "] cannot be read", e);
      }
    }
    return terms[slot];
  }

  private void read(int slot) throws IOException {
    if (leaf == null) {
      throw new IllegalStateException("a term of [" + field + "] is asked for before a segment");
    }
    terms[slot] = BytesRef.deepCopyOf(leaf.here().lookupOrd(ords[slot]));
    unread[slot] = false;
  }

  @Override
  public LeafFieldComparator getLeafComparator(LeafReaderContext context) throws IOException {
    for (int slot = 0; slot < unread.length; slot++) {
      if (unread[slot]) {
        read(slot);
      }
    }
    segment++;
    leaf = new Leaf(context);
    return leaf;
  }

  private SortedDocValues open(LeafReaderContext context) throws IOException {
    return SortedSetSelector.wrap(DocValues.getSortedSet(context.reader(), field), selector);
  }

  /** A term of another segment among the ordinals of this one. */
  private record Place(int ord, boolean exact) {
    /** Below 0 where the term comes before that of the ordinal, 0 where it is the same. */
    int against(int other) {
      // between two ordinals it is behind the one that it has
      return exact ? Integer.compare(ord, other) : ord >= other ? 1 : -1;
    }
  }

  private final class Leaf implements LeafFieldComparator {
    private final LeafReaderContext context;
    private final SortedDocValues values;
    private final Thread thread = Thread.currentThread();
    private @Nullable Place bottomPlace;
    private @Nullable Place topPlace;

    Leaf(LeafReaderContext context) throws IOException {
      this.context = context;
      this.values = open(context);
    }

    /** The values for the thread that asks: the last terms are read by the one that reduces. */
    SortedDocValues here() throws IOException {
      return Thread.currentThread() == thread ? values : open(context);
    }

    private int ord(int document) throws IOException {
      return values.advanceExact(document) ? values.ordValue() : missing;
    }

    private Place place(@Nullable BytesRef term) throws IOException {
      if (term == null) {
        return new Place(missing, true);
      }
      int ord = values.lookupTerm(term);
      return ord >= 0 ? new Place(ord, true) : new Place(-ord - 2, false);
    }

    @Override
    public void setBottom(int slot) {
      bottom = slot;
      bottomPlace = null;
    }

    @Override
    public int compareBottom(int document) throws IOException {
      if (bottomPlace == null) {
        bottomPlace =
            segments[bottom] == segment ? new Place(ords[bottom], true) : place(terms[bottom]);
      }
      return bottomPlace.against(ord(document));
    }

    @Override
    public int compareTop(int document) throws IOException {
      if (topPlace == null) {
        topPlace = place(top);
      }
      return topPlace.against(ord(document));
    }

    @Override
    public void copy(int slot, int document) throws IOException {
      int ord = ord(document);
      ords[slot] = ord;
      segments[slot] = segment;
      terms[slot] = null;
      unread[slot] = ord != missing;
    }

    @Override
    public void setScorer(Scorable scorer) {}
  }
}
