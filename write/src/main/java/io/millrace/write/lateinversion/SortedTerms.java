package io.millrace.write.lateinversion;

import io.millrace.kernel.postings.DocsOnlyPostings;
import io.millrace.kernel.postings.DocsOnlyTerms;
import java.util.Arrays;
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
  private final int[] starts; // by rank, and one more: where its documents begin
  private final int[] ends;
  private final int[] documents;
  private final int withTerms;

  SortedTerms(FieldTerms field) {
    pool = field.pool;
    int[] order = TermOrder.of(pool, field.texts, field.terms);
    int[] ranks = new int[field.terms];
    int size = 0;
    for (int number : order) {
      size += number >= 0 ? 1 : 0;
    }
    texts = new int[size];
    int rank = -1;
    for (int number : order) {
      if (number >= 0) {
        texts[++rank] = field.texts[number];
      }
      ranks[number >= 0 ? number : ~number] = rank;
    }
    starts = new int[size + 1];
    for (int i = 0; i < field.count; i++) {
      starts[ranks[field.numbers[i]] + 1]++;
    }
    for (int i = 0; i < size; i++) {
      starts[i + 1] += starts[i];
    }
    ends = Arrays.copyOf(starts, size);
    documents = new int[field.count];
    withTerms = distribute(field, ranks);
  }

  /** Gives each term its documents, once each, in order; returns how many documents have one. */
  private int distribute(FieldTerms field, int[] ranks) {
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
        int rank = ranks[field.numbers[i]];
        int end = ends[rank];
        if (end == starts[rank] || documents[end - 1] != document) {
          documents[end] = document;
          ends[rank] = end + 1;
        }
      }
    }
    return with;
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
      sum += ends[i] - starts[i];
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
      return ends[rank] - starts[rank];
    }

    @Override
    public long totalTermFreq() {
      return docFreq();
    }

    @Override
    public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) {
      Slice slice =
          reuse instanceof Slice ours && ours.documents == documents ? ours : new Slice(documents);
      slice.set(starts[rank], ends[rank]);
      return slice;
    }

    @Override
    public ImpactsEnum impacts(int flags) {
      throw new UnsupportedOperationException("terms that are being written have no impacts");
    }
  }

  /** A part of an array of documents. */
  private static final class Slice extends DocsOnlyPostings {
    private final int[] documents;
    private int start;
    private int end;
    private int at;

    Slice(int[] documents) {
      this.documents = documents;
    }

    void set(int from, int to) {
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
