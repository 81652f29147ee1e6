package io.millrace.guard.breaker;

import io.millrace.kernel.slot.QueryAround;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FilterScorer;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * A query with a check point at each score: same documents, same scores.
 *
 * <p>For the hits that are scored anew, one by one and outside of any window of documents
 * (QueryRescorer#rescore of Lucene): 10,000 of them with a script take minutes, in which nobody
 * looks whether the search was stopped.
 */
final class WatchedScores extends QueryAround {
  private final Runnable look;

  /**
   * @param look throws when the search has to end
   */
  WatchedScores(Query in, Runnable look) {
    super(in, look);
    this.look = look;
  }

  @Override
  protected Query around(Query other) {
    return new WatchedScores(other, look);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    return new WatchedWeight(this, in.createWeight(searcher, scoreMode, boost), look);
  }

  private static final class WatchedWeight extends WeightAround {
    private final Runnable look;

    WatchedWeight(Query query, Weight in, Runnable look) {
      super(query, in);
      this.look = look;
    }

    @Override
    public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
      ScorerSupplier supplier = in.scorerSupplier(context);
      return supplier == null ? null : new WatchedSupplier(supplier, look);
    }
  }

  private static final class WatchedSupplier extends SupplierAround {
    private final Runnable look;

    WatchedSupplier(ScorerSupplier in, Runnable look) {
      super(in);
      this.look = look;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      return new FilterScorer(in.get(leadCost)) {
        @Override
        public float score() throws IOException {
          look.run();
          return in.score();
        }

        @Override
        public float getMaxScore(int upTo) throws IOException {
          return in.getMaxScore(upTo);
        }
      };
    }
  }
}
