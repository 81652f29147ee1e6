package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.OrdTermState;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SlowImpactsEnum;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.TermState;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the dictionary of a field's doc values and gives postings from its lists.
 *
 * <p>The place is an ordinal, and so is a term state: who comes back with one (a query does, once
 * per segment) reads the lists at once and never opens the dictionary, unless it asks for the term.
 * The dictionary is read by ordinal only: opening one that also seeks costs as much again.
 */
final class ValuesTermsEnum extends BaseTermsEnum {
  /** Opens the doc values of the field. */
  interface Dictionary {
    SortedSetDocValues open() throws IOException;
  }

  private final Dictionary source;
  private final OrdinalLists lists;
  private @Nullable SortedSetDocValues dictionary;
  private @Nullable TermSamples samples;
  private OrdinalLists.@Nullable Reader reader;

  private long ord = -1;

  /** The term of the ordinal once it was asked for. */
  private @Nullable BytesRef term;

  ValuesTermsEnum(Dictionary source, OrdinalLists lists) {
    this.source = source;
    this.lists = lists;
  }

  private OrdinalLists.Reader reader() throws IOException {
    if (reader == null) {
      reader = lists.reader();
    }
    return reader;
  }

  private BytesRef moveTo(long to) throws IOException {
    if (dictionary == null) {
      dictionary = source.open();
    }
    ord = to;
    return term = dictionary.lookupOrd(to);
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    return ord + 1 < lists.terms ? moveTo(ord + 1) : null;
  }

  @Override
  public BytesRef term() throws IOException {
    return term == null ? moveTo(ord) : term;
  }

  @Override
  public long ord() {
    return ord;
  }

  @Override
  public void seekExact(long wanted) {
    if (wanted < 0 || wanted >= lists.terms) {
      throw new IndexOutOfBoundsException("term " + wanted + " of " + lists.terms);
    }
    ord = wanted;
    term = null;
  }

  @Override
  public void seekExact(BytesRef text, TermState state) {
    seekExact(((OrdTermState) state).ord);
  }

  @Override
  public TermState termState() {
    OrdTermState state = new OrdTermState();
    state.ord = ord;
    return state;
  }

  private TermSamples samples() throws IOException {
    if (samples == null) {
      samples = lists.samples();
    }
    return samples;
  }

  @Override
  public boolean seekExact(BytesRef text) throws IOException {
    return samples().seek(text) && narrow(text) && marked(text);
  }

  @Override
  public SeekStatus seekCeil(BytesRef text) throws IOException {
    if (!samples().seek(text)) {
      return SeekStatus.END;
    }
    boolean among = narrow(text);
    long block = Math.max(0, samples().below);
    BytesRef at = term;
    if (at == null || ord >>> TermSamples.BLOCK_SHIFT != block || at.compareTo(text) > 0) {
      if (among && marked(text)) {
        return SeekStatus.FOUND;
      }
      at = moveTo(block << TermSamples.BLOCK_SHIFT);
    }
    // the first term of the block after this one may be the one above
    for (; at != null; at = next()) {
      int difference = at.compareTo(text);
      if (difference >= 0) {
        return difference == 0 ? SeekStatus.FOUND : SeekStatus.NOT_FOUND;
      }
    }
    return SeekStatus.END;
  }

  /**
   * Leaves one block to look at, the last whose first term is not above, where samples leave more.
   *
   * @return false if there is none: the term is below all terms
   */
  private boolean narrow(BytesRef text) throws IOException {
    TermSamples found = samples();
    long low = found.below;
    long high = found.notAbove + 1;
    while (high - low > 1) {
      long middle = low + high >>> 1;
      if (moveTo(middle << TermSamples.BLOCK_SHIFT).compareTo(text) <= 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    found.below = low;
    return low >= 0;
  }

  /** Whether one of the block's terms that bear the mark is the one, and stands on it then. */
  private boolean marked(BytesRef text) throws IOException {
    long block = samples().below;
    for (long left = samples().marked(block, text); left != 0; left &= left - 1) {
      long candidate = (block << TermSamples.BLOCK_SHIFT) + Long.numberOfTrailingZeros(left);
      if (moveTo(candidate).equals(text)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int docFreq() throws IOException {
    return (int) (reader().start(ord + 1) - reader().start(ord));
  }

  @Override
  public long totalTermFreq() throws IOException {
    return docFreq();
  }

  @Override
  public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) throws IOException {
    ListedDocs docs =
        reuse instanceof ListedDocs before && before.reads(lists)
            ? before
            : new ListedDocs(lists.reader());
    return docs.reset(ord);
  }

  @Override
  public ImpactsEnum impacts(int flags) throws IOException {
    return new SlowImpactsEnum(postings(null, flags));
  }
}
