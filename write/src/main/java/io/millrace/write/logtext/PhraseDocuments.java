package io.millrace.write.logtext;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.internal.ContextIndexSearcher;

/**
 * The documents of a phrase: those whose template holds it, and of some candidates those whose
 * source does. It is what runs of a {@link SourcePhraseQuery}, and one query to the cache of
 * queries: it enters the cache as a phrase of {@code text} does, and what it is made of neither
 * enters nor crowds out what the cache counts. So it keeps nothing of the request that asked.
 */
final class PhraseDocuments extends Query {
  private final Query shown;
  private final @Nullable Query decided;
  private final PhraseLook look;

  /**
   * @param shown what stock's query would look at, for visitors
   * @param decided the documents that need no look; null for none
   */
  PhraseDocuments(Query shown, @Nullable Query decided, PhraseLook look) {
    this.shown = shown;
    this.decided = decided;
    this.look = look;
  }

  /** The same documents with something else for visitors. */
  PhraseDocuments showing(Query other) {
    return new PhraseDocuments(other, decided, look);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    Parts parts = new Parts(searcher);
    if (isProfiled(searcher)) {
      parts.weight(); // a profile takes up the parts of a query while its weight is made
    }
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        ScorerSupplier found = parts.weight().scorerSupplier(leaf);
        return found == null ? null : constant(found, score(), mode);
      }

      @Override
      public int count(LeafReaderContext leaf) throws IOException {
        return parts.weight().count(leaf);
      }

      /** What it is made of depends on nothing but the segment. */
      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return true;
      }
    };
  }

  /** What finds the documents, made when a segment is not in the cache of queries. */
  private final class Parts {
    private final IndexSearcher searcher;
    private @Nullable Weight weight;

    Parts(IndexSearcher searcher) {
      this.searcher = searcher;
    }

    synchronized Weight weight() throws IOException {
      Weight known = weight;
      if (known == null) {
        IndexSearcher within = isProfiled(searcher) ? searcher : uncached(searcher);
        BooleanQuery.Builder any = new BooleanQuery.Builder();
        if (decided != null) {
          any.add(decided, Occur.SHOULD);
        }
        any.add(look, Occur.SHOULD);
        known = within.createWeight(within.rewrite(any.build()), ScoreMode.COMPLETE_NO_SCORES, 1);
        weight = known;
      }
      return known;
    }
  }

  /** A profile shows each part by what its searcher is asked for. */
  private static boolean isProfiled(IndexSearcher searcher) {
    return searcher instanceof ContextIndexSearcher own && own.getProfiler() != null;
  }

  private static IndexSearcher uncached(IndexSearcher searcher) {
    IndexSearcher plain = new IndexSearcher(searcher.getIndexReader());
    plain.setQueryCache(null);
    return plain;
  }

  private static ScorerSupplier constant(ScorerSupplier found, float score, ScoreMode mode) {
    return new ScorerSupplier() {
      @Override
      public Scorer get(long leadCost) throws IOException {
        Scorer scorer = found.get(leadCost);
        TwoPhaseIterator unsure = scorer.twoPhaseIterator();
        return unsure == null
            ? new ConstantScoreScorer(score, mode, scorer.iterator())
            : new ConstantScoreScorer(score, mode, unsure);
      }

      @Override
      public BulkScorer bulkScorer() throws IOException {
        return mode.needsScores() ? super.bulkScorer() : found.bulkScorer();
      }

      @Override
      public long cost() {
        return found.cost();
      }
    };
  }

  @Override
  public void visit(QueryVisitor visitor) {
    shown.visit(visitor);
  }

  @Override
  public String toString(String field) {
    String known = decided == null ? "" : decided.toString(field) + " ";
    return "log_text_phrase(" + known + look.toString(field) + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PhraseDocuments that
        && look.equals(that.look)
        && Objects.equals(decided, that.decided);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * classHash() + look.hashCode()) + Objects.hashCode(decided);
  }
}
