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
 * A query with check points close together: same documents, same scores.
 *
 * <p>Stock looks for cancellation after 4,096 documents, then 8,192 and so on up to a million
 * (CancellableBulkScorer#score). A script that keeps 10 KB per document fills 512 MB between the
 * second and the fourth look. Only searches whose aggregations run collecting scripts pay for the
 * shorter windows.
 */
final class PacedQuery extends Query {
  private static final int WINDOW = 128;

  private final Query in;
  private final SearchMemory memory;

  PacedQuery(Query in, SearchMemory memory) {
    this.in = in;
    this.memory = memory;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = in.rewrite(searcher);
    // Lucene's rewriting ends when a query returns itself
    return rewritten.equals(in) ? this : new PacedQuery(rewritten, memory);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    memory.throwIfRefused();
    return new PacedWeight(this, in.createWeight(searcher, scoreMode, boost), memory);
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
    return other instanceof PacedQuery paced && in.equals(paced.in) && memory == paced.memory;
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + in.hashCode();
  }

  private static final class PacedWeight extends FilterWeight {
    private final SearchMemory memory;

    PacedWeight(Query query, Weight in, SearchMemory memory) {
      super(query, in);
      this.memory = memory;
    }

    /** A cached result would be collected without the windows. */
    @Override
    public boolean isCacheable(LeafReaderContext context) {
      return false;
    }

    @Override
    public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
      ScorerSupplier supplier = in.scorerSupplier(context);
      return supplier == null ? null : new PacedSupplier(supplier, memory);
    }
  }

  private static final class PacedSupplier extends ScorerSupplier {
    private final ScorerSupplier in;
    private final SearchMemory memory;

    PacedSupplier(ScorerSupplier in, SearchMemory memory) {
      this.in = in;
      this.memory = memory;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      return in.get(leadCost);
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      return new PacedScorer(in.bulkScorer(), memory);
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
    private final SearchMemory memory;

    PacedScorer(BulkScorer in, SearchMemory memory) {
      this.in = in;
      this.memory = memory;
    }

    @Override
    public int score(LeafCollector collector, @Nullable Bits acceptDocs, int min, int max)
        throws IOException {
      int doc = min;
      while (doc < max) {
        memory.look();
        doc = in.score(collector, acceptDocs, doc, (int) Math.min((long) doc + WINDOW, max));
      }
      return doc;
    }

    @Override
    public long cost() {
      return in.cost();
    }
  }
}
