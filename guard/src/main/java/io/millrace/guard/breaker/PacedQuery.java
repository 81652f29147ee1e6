package io.millrace.guard.breaker;

import io.millrace.kernel.slot.QueryAround;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
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
final class PacedQuery extends QueryAround {
  private static final int FIRST = 8;
  private static final long SHORT_NANOS = 4_000_000;
  private static final long LONG_NANOS = 40_000_000;

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
    super(in, look);
    this.stop = stop;
    this.look = look;
    this.widest = widest;
  }

  @Override
  protected Query around(Query other) {
    return new PacedQuery(other, stop, look, widest);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    stop.run();
    return new PacedWeight(this, in.createWeight(searcher, scoreMode, boost));
  }

  /** No cache keeps it: a cached result would be collected without the windows. */
  private static final class PacedWeight extends WeightAround {
    private final PacedQuery query;

    PacedWeight(PacedQuery query, Weight in) {
      super(query, in);
      this.query = query;
    }

    @Override
    public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
      ScorerSupplier supplier = in.scorerSupplier(context);
      return supplier == null ? null : new PacedSupplier(supplier, query);
    }
  }

  private static final class PacedSupplier extends SupplierAround {
    private final PacedQuery query;

    PacedSupplier(ScorerSupplier in, PacedQuery query) {
      super(in);
      this.query = query;
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      return new PacedScorer(in.bulkScorer(), query);
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
