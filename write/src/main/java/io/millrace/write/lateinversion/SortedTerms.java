package io.millrace.write.lateinversion;

import io.millrace.kernel.postings.DocsOnlyPostings;
import io.millrace.kernel.postings.DocsOnlyTerms;
import io.millrace.kernel.postings.TermOrder;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBlockPool;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a field in order, each with its documents: what a postings format is given to write
 * a segment.
 */
final class SortedTerms extends DocsOnlyTerms {
  private final BytesRefBlockPool pool;
  private final int[] texts; // by rank: where a term begins in the pool
  private final int[] starts; // by rank: where its documents begin, or ~document if it has one
  private final int[] ends;
  private final int[] documents;
  private final int withTerms;

  SortedTerms(FieldTerms field) {
    pool = field.pool;
    int[] order = TermOrder.of(pool, field.texts, field.terms);
    int size = 0;
    for (int number : order) {
      size += number >= 0 ? 1 : 0;
    }
    texts = new int[size];
    starts = new int[size];
    int[] sights = new int[field.terms];
    withTerms = count(field, sights);
    documents = new int[rank(field, order, sights)];
    ends = starts.clone();
    distribute(field, sights);
  }

  /**
   * Returns how many documents have a term.
   *
   * @param sights gets by number: the document plus one if the term was there once, else how often
   *     it was there, below zero
   */
  private static int count(FieldTerms field, int[] sights) {
    int with = 0;
    int last = -1;
    int i = 0;
    for (int v = 0; v < field.values; v++) {
      int document = field.documents[v];
      if (i < field.ends[v] && document != last) {
        with++;
        last = document;
      }
      for (; i < field.ends[v]; i++) {
        int number = field.numbers[i];
        int before = sights[number];
        sights[number] = before == 0 ? document + 1 : before > 0 ? -2 : before - 1;
      }
    }
    return with;
  }

  /**
   * Gives each term its rank and a place for its documents; returns what all places take. Most
   * terms are there once, and their document stands in that place: writing them anywhere else would
   * wait for memory.
   *
   * @param sights of numbers whose term has a list: gets the rank's complement
   */
  private int rank(FieldTerms field, int[] order, int[] sights) {
    int taken = 0;
    int rank = 0;
    for (int i = 0; i < order.length; rank++) {
      int number = order[i++];
      texts[rank] = field.texts[number];
      boolean several = i < order.length && order[i] < 0;
      if (!several && sights[number] > 0) {
        starts[rank] = -sights[number];
        continue;
      }
      starts[rank] = taken;
      taken += Math.max(1, -sights[number]);
      sights[number] = ~rank;
      for (; i < order.length && order[i] < 0; i++) {
        taken += Math.max(1, -sights[~order[i]]);
        sights[~order[i]] = ~rank;
      }
    }
    return taken;
  }

  /** Gives each term that has a list its documents, once each, in order. */
  private void distribute(FieldTerms field, int[] sights) {
    int i = 0;
    for (int v = 0; v < field.values; v++) {
      int document = field.documents[v];
      for (; i < field.ends[v]; i++) {
        int rank = ~sights[field.numbers[i]];
        if (rank < 0) {
          continue;
        }
        int end = ends[rank];
        if (end == starts[rank] || documents[end - 1] != document) {
          documents[end] = document;
          ends[rank] = end + 1;
        }
      }
    }
  }

  private int documents(int rank) {
    return starts[rank] < 0 ? 1 : ends[rank] - starts[rank];
  }

  @Override
  public TermsEnum iterator() {
    return new InOrder();
  }

  @Override
  public long size() {
    return texts.length;
  }

  @Override
  public long getSumDocFreq() {
    long sum = 0;
    for (int i = 0; i < texts.length; i++) {
      sum += documents(i);
    }
    return sum;
  }

  @Override
  public int getDocCount() {
    return withTerms;
  }

  private final class InOrder extends BaseTermsEnum {
    private final BytesRef term = new BytesRef();
    private int rank = -1;

    @Override
    public @Nullable BytesRef next() {
      if (rank + 1 >= texts.length) {
        rank = texts.length;
        return null;
      }
      seekExact(rank + 1L);
      return term;
    }

    @Override
    public SeekStatus seekCeil(BytesRef text) {
      int low = 0;
      int high = texts.length - 1;
      while (low <= high) {
        int middle = low + high >>> 1;
        seekExact(middle);
        int order = term.compareTo(text);
        if (order == 0) {
          return SeekStatus.FOUND;
        }
        if (order < 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      if (low == texts.length) {
        rank = low;
        return SeekStatus.END;
      }
      seekExact(low);
      return SeekStatus.NOT_FOUND;
    }

    @Override
    public void seekExact(long ord) {
      rank = (int) ord;
      pool.fillBytesRef(term, texts[rank]);
    }

    @Override
    public BytesRef term() {
      return term;
    }

    @Override
    public long ord() {
      return rank;
    }

    @Override
    public int docFreq() {
      return documents(rank);
    }

    @Override
    public long totalTermFreq() {
      return docFreq();
    }

    @Override
    public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) {
      Slice slice = reuse instanceof Slice ours ? ours : new Slice();
      if (starts[rank] < 0) {
        slice.set(~starts[rank]);
      } else {
        slice.set(documents, starts[rank], ends[rank]);
      }
      return slice;
    }

    @Override
    public ImpactsEnum impacts(int flags) {
      throw new UnsupportedOperationException("terms that are being written have no impacts");
    }
  }

  /** A part of an array of documents, or one document. */
  private static final class Slice extends DocsOnlyPostings {
    private final int[] one = new int[1];
    private int[] documents = one;
    private int start;
    private int end;
    private int at;

    void set(int document) {
      one[0] = document;
      set(one, 0, 1);
    }

    void set(int[] in, int from, int to) {
      documents = in;
      start = from;
      end = to;
      at = from - 1;
    }

    @Override
    public int docID() {
      return at < start ? -1 : at < end ? documents[at] : NO_MORE_DOCS;
    }

    @Override
    public int nextDoc() {
      at = Math.min(at + 1, end);
      return docID();
    }

    @Override
    public int advance(int target) {
      int document = nextDoc();
      while (document < target) {
        document = nextDoc();
      }
      return document;
    }

    @Override
    public long cost() {
      return end - start;
    }
  }
}
