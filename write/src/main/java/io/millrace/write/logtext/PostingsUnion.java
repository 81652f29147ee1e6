package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
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
 * The documents of some terms of one segment. The first few terms are remembered, so that nothing
 * is read before documents are wanted; where there are more, the walk over them stops and goes on
 * when documents are wanted, each term's postings going straight into a set of documents. A
 * wildcard over ids may match millions of terms; Lucene's own CONSTANT_SCORE_BLENDED_REWRITE, which
 * stock uses for such queries, has the same bound.
 */
final class PostingsUnion {
  /** Terms that are remembered at most. */
  static final int REMEMBERED = 16;

  /** Goes over terms of one segment. */
  @FunctionalInterface
  interface Walk {
    /** The enumeration that stands at the next term; null after the last one. */
    @Nullable TermsEnum next() throws IOException;

    /** This walk, and after it another. */
    default Walk then(Walk other) {
      return () -> {
        TermsEnum at = next();
        return at != null ? at : other.next();
      };
    }
  }

  private final TermsEnum own;
  private final Walk walk;
  private final List<BytesRef> names = new ArrayList<>(4);
  private final List<TermState> states = new ArrayList<>(4);
  private final @Nullable TermsEnum stopped;
  private final long cost;

  private PostingsUnion(Terms terms, Walk walk) throws IOException {
    this.own = terms.iterator();
    this.walk = walk;
    long documents = 0;
    TermsEnum at = walk.next();
    while (at != null && names.size() < REMEMBERED) {
      names.add(BytesRef.deepCopyOf(at.term()));
      states.add(at.termState());
      documents += at.docFreq();
      at = walk.next();
    }
    this.stopped = at;
    this.cost = at == null ? documents : terms.getDocCount();
  }

  /** Null where the walk comes to no term. */
  static @Nullable PostingsUnion of(Terms terms, Walk walk) throws IOException {
    PostingsUnion union = new PostingsUnion(terms, walk);
    return union.names.isEmpty() ? null : union;
  }

  /** Goes over those of the named terms that the segment has. */
  static Walk over(Terms terms, Iterator<BytesRef> names) throws IOException {
    TermsEnum at = terms.iterator();
    return () -> {
      while (names.hasNext()) {
        if (at.seekExact(names.next())) {
          return at;
        }
      }
      return null;
    };
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

  /** To be called once, as a supplier's scorer is got once: the walk does not start again. */
  private DocIdSetIterator documents(int maxDoc) throws IOException {
    if (stopped == null && names.size() == 1) {
      return remembered(0, null);
    }
    DocIdSetBuilder documents = new DocIdSetBuilder(maxDoc);
    PostingsEnum postings = null;
    for (int i = 0; i < names.size(); i++) {
      postings = remembered(i, postings);
      documents.add(postings);
    }
    for (TermsEnum at = stopped; at != null; at = walk.next()) {
      postings = at.postings(postings, PostingsEnum.NONE);
      documents.add(postings);
    }
    return documents.build().iterator();
  }

  private PostingsEnum remembered(int i, @Nullable PostingsEnum reuse) throws IOException {
    own.seekExact(names.get(i), states.get(i));
    return own.postings(reuse, PostingsEnum.NONE);
  }
}
