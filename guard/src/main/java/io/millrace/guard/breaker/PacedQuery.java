package io.millrace.guard.breaker;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * A query with check points close together in time: same documents, same scores.
 *
 * <p>Stock looks for cancellation after 4,096 documents, then 8,192 and so on up to a million
 * (CancellableBulkScorer#score). A script that keeps 10 KB per document fills 512 MB between the
 * second and the fourth look, and one that loops a million times for each, which is what Painless
 * allows, is not looked at for a minute. So a window begins with a few documents and grows only
 * while it is over within milliseconds. Only searches that run scripts pay for it.
 */
final class PacedQuery extends Query {
  private static final int FIRST = 8;
  private static final long SHORT_NANOS = 4_000_000;
  private static final long LONG_NANOS = 40_000_000;

  private final Query in;
  private final Runnable stop;
  private final Runnable look;
  private final int widest;

  /**
   * @param stop called before anything is collected; throws when the search has to end with an
   *     error
   * @param look called between windows; throws for the same reasons, and when what was collected is
   *     to be the answer
   * @param widest documents between two looks, at most
   */
  PacedQuery(Query in, Runnable stop, Runnable look, int widest) {
    this.in = in;
    this.stop = stop;
    this.look = look;
    this.widest = widest;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = in.rewrite(searcher);
    // Lucene's rewriting ends when a query returns itself
    return rewritten.equals(in) ? this : new PacedQuery(rewritten, stop, look, widest);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    stop.run();
    return new PacedWeight(this, in.createWeight(searcher, scoreMode, boost));
  }

  @Override
  public void visit(QueryVisitor visitor) {
    in.visit(visitor);
  }

  @Override
  public String toString(String field) {
    return in.toString(field);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PacedQuery paced && in.equals(paced.in) && look == paced.look;
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + in.hashCode();
  }

  private static final class PacedWeight extends FilterWeight {
    private final PacedQuery query;

    PacedWeight(PacedQuery query, Weight in) {
      super(query, in);
      this.query = query;
    }

    /** A cached result would be collected without the windows. */
    @Override
    public boolean isCacheable(LeafReaderContext context) {
      return false;
    }

    @Override
    public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
      ScorerSupplier supplier = in.scorerSupplier(context);
      return supplier == null ? null : new PacedSupplier(supplier, query);
    }
  }

  private static final class PacedSupplier extends ScorerSupplier {
    private final ScorerSupplier in;
    private final PacedQuery query;

    PacedSupplier(ScorerSupplier in, PacedQuery query) {
      this.in = in;
      this.query = query;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      return in.get(leadCost);
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      return new PacedScorer(in.bulkScorer(), query);
    }

    @Override
    public long cost() {
      return in.cost();
    }

    @Override
    public void setTopLevelScoringClause() throws IOException {
      in.setTopLevelScoringClause();
    }
  }

  private static final class PacedScorer extends BulkScorer {
    private final BulkScorer in;
    private final PacedQuery query;
    private int window = FIRST;

    PacedScorer(BulkScorer in, PacedQuery query) {
      this.in = in;
      this.query = query;
    }

    @Override
    public int score(LeafCollector collector, @Nullable Bits acceptDocs, int min, int max)
        throws IOException {
      int doc = min;
      while (doc < max) {
        query.look.run();
        long began = System.nanoTime();
        doc = in.score(collector, acceptDocs, doc, (int) Math.min((long) doc + window, max));
        long took = System.nanoTime() - began;
        if (took < SHORT_NANOS) {
          window = Math.min(query.widest, window * 2);
        } else if (took > LONG_NANOS) {
          window = Math.max(1, window / 2);
        }
      }
      return doc;
    }

    @Override
    public long cost() {
      return in.cost();
    }
  }
}
