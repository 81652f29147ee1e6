package io.millrace.kernel.slot;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * A query around another one, for the run of one search: it adds check points and leaves what is
 * found as it is. It shows itself as the inner query to whoever visits or prints it, so that
 * highlighting and {@code profile: true} see what the user wrote.
 */
public abstract class QueryAround extends Query {
  protected final Query in;
  private final Object run;

  /**
   * @param run what tells the searches apart; two queries around the same one are equal where this
   *     is the same object
   */
  protected QueryAround(Query in, Object run) {
    this.in = in;
    this.run = run;
  }

  /** The same check points around another query. */
  protected abstract Query around(Query other);

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = in.rewrite(searcher);
    // Lucene's rewriting ends when a query returns itself
    return rewritten.equals(in) ? this : around(rewritten);
  }

  /** Subclasses return a {@link WeightAround}. */
  @Override
  public abstract Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException;

  @Override
  public final void visit(QueryVisitor visitor) {
    in.visit(visitor);
  }

  @Override
  public final String toString(String field) {
    return in.toString(field);
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof QueryAround query
        && sameClassAs(query)
        && in.equals(query.in)
        && run == query.run;
  }

  @Override
  public final int hashCode() {
    return 31 * classHash() + in.hashCode();
  }

  /** A weight whose results no cache keeps for other searches; those of the inner one may be. */
  protected abstract static class WeightAround extends FilterWeight {
    protected WeightAround(Query query, Weight in) {
      super(query, in);
    }

    @Override
    public final boolean isCacheable(LeafReaderContext context) {
      return false;
    }
  }

  /** Everything as the inner supplier gives it. */
  protected abstract static class SupplierAround extends ScorerSupplier {
    protected final ScorerSupplier in;

    protected SupplierAround(ScorerSupplier in) {
      this.in = in;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      return in.get(leadCost);
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      return in.bulkScorer();
    }

    @Override
    public long cost() {
      return in.cost();
    }

    @Override
    public final void setTopLevelScoringClause() throws IOException {
      in.setTopLevelScoringClause();
    }
  }
}
