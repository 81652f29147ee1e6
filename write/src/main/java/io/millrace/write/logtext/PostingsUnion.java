package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.DocIdSetBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The documents of some terms of one segment. A few terms are remembered and looked up again; many
 * are not remembered but enumerated a second time, each one's postings going straight into a set of
 * documents, because a wildcard over ids may match millions of terms (the bound is that of Lucene's
 * own CONSTANT_SCORE_BLENDED_REWRITE, which stock uses for such queries).
 */
final class PostingsUnion {
  /** Terms that are remembered at most. */
  static final int REMEMBERED = 16;

  /** Names the terms, the same ones each time it is asked. */
  @FunctionalInterface
  interface Source {
    /** Gives each term to the sink; may stop when the sink wants no more. */
    void forEach(Sink sink) throws IOException;
  }

  private final Terms terms;
  private final Source source;
  private final FirstTerms first;
  private final long cost;

  private PostingsUnion(Terms terms, Source source, FirstTerms first) throws IOException {
    this.terms = terms;
    this.source = source;
    this.first = first;
    this.cost = first.more ? terms.getDocCount() : first.cost;
  }

  /** Null where the source has no term. */
  static @Nullable PostingsUnion of(Terms terms, Source source) throws IOException {
    FirstTerms first = new FirstTerms(terms.iterator());
    source.forEach(first);
    return first.more || !first.states.isEmpty() ? new PostingsUnion(terms, source, first) : null;
  }

  /**
   * Matches the union, every document with the same score. The cost is exact where the terms are
   * few, and else all documents that have the field.
   */
  ScorerSupplier supplier(LeafReader reader, float score, ScoreMode mode) {
    return new ScorerSupplier() {
      @Override
      public Scorer get(long leadCost) throws IOException {
        return new ConstantScoreScorer(score, mode, documents(reader.maxDoc()));
      }

      @Override
      public long cost() {
        return cost;
      }
    };
  }

  private DocIdSetIterator documents(int maxDoc) throws IOException {
    if (!first.more && first.states.size() == 1) {
      return first.postings(0, null);
    }
    Union union = new Union(terms.iterator(), maxDoc);
    if (first.more) {
      source.forEach(union);
    } else {
      for (int i = 0; i < first.states.size(); i++) {
        union.add(first.postings(i, union.postings));
      }
    }
    return union.documents.build().iterator();
  }

  /** Takes terms of one segment. */
  abstract static class Sink {
    final TermsEnum own;

    Sink(TermsEnum own) {
      this.own = own;
    }

    /** Takes a term by name, if the segment has it. */
    final void seek(BytesRef term) throws IOException {
      if (wantsMore() && own.seekExact(term)) {
        take(own);
      }
    }

    /** Takes the term that an enumeration of the segment's terms stands at. */
    abstract void take(TermsEnum at) throws IOException;

    abstract boolean wantsMore();
  }

  /** The first terms with what it takes to find them again. */
  private static final class FirstTerms extends Sink {
    private final List<BytesRef> names = new ArrayList<>();
    private final List<TermState> states = new ArrayList<>();
    private long cost;
    private boolean more;

    FirstTerms(TermsEnum own) {
      super(own);
    }

    @Override
    void take(TermsEnum at) throws IOException {
      if (more || names.size() == REMEMBERED) {
        more = true;
        names.clear();
        states.clear();
        return;
      }
      names.add(BytesRef.deepCopyOf(at.term()));
      states.add(at.termState());
      cost += at.docFreq();
    }

    @Override
    boolean wantsMore() {
      return !more;
    }

    PostingsEnum postings(int i, @Nullable PostingsEnum reuse) throws IOException {
      own.seekExact(names.get(i), states.get(i));
      return own.postings(reuse, PostingsEnum.NONE);
    }
  }

  /** All terms, as a set of documents. */
  private static final class Union extends Sink {
    private final DocIdSetBuilder documents;
    private @Nullable PostingsEnum postings;

    Union(TermsEnum own, int maxDoc) {
      super(own);
      documents = new DocIdSetBuilder(maxDoc);
    }

    @Override
    void take(TermsEnum at) throws IOException {
      add(at.postings(postings, PostingsEnum.NONE));
    }

    void add(PostingsEnum read) throws IOException {
      postings = read;
      documents.add(read);
    }

    @Override
    boolean wantsMore() {
      return true;
    }
  }
}
