package io.millrace.search.deadline;

import io.millrace.kernel.slot.QueryAround;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.query.QueryPhase.TimeExceededException;

/**
 * A query that has no documents in a segment whose terms it could not find within the time: same
 * documents and scores in all others. Where the time ends it says so, and never throws. What was
 * left out for want of time is not kept for others.
 */
final class DeadlineQuery extends QueryAround {
  private final Runnable ended;

  /**
   * @param ended called where the time was over before the first document
   */
  DeadlineQuery(Query in, Runnable ended) {
    super(in, ended);
    this.ended = ended;
  }

  @Override
  protected Query around(Query other) {
    return new DeadlineQuery(other, ended);
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    try {
      return super.rewrite(searcher);
    } catch (TimeExceededException e) {
      ended.run();
      return new MatchNoDocsQuery("its time ended while its terms were looked for");
    }
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    try {
      return new DeadlineWeight(this, searcher.createWeight(in, scoreMode, boost));
    } catch (TimeExceededException e) {
      ended.run();
      return new MatchNoDocsQuery("its time ended before its first document")
          .createWeight(searcher, scoreMode, boost);
    }
  }

  private static final class DeadlineWeight extends WeightAround {
    private final DeadlineQuery query;

    DeadlineWeight(DeadlineQuery query, Weight in) {
      super(query, in);
      this.query = query;
    }

    @Override
    public int count(LeafReaderContext context) throws IOException {
      try {
        return in.count(context);
      } catch (TimeExceededException e) {
        return -1; // unknown: the search will find out
      }
    }

    @Override
    public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
      try {
        ScorerSupplier supplier = in.scorerSupplier(context);
        return supplier == null ? null : new DeadlineSupplier(supplier, query);
      } catch (TimeExceededException e) {
        query.ended.run();
        return null;
      }
    }
  }

  private static final class DeadlineSupplier extends SupplierAround {
    private final DeadlineQuery query;

    DeadlineSupplier(ScorerSupplier in, DeadlineQuery query) {
      super(in);
      this.query = query;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      try {
        return in.get(leadCost);
      } catch (TimeExceededException e) {
        query.ended.run();
        return new ConstantScoreScorer(0, ScoreMode.COMPLETE_NO_SCORES, DocIdSetIterator.empty());
      }
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      try {
        return in.bulkScorer();
      } catch (TimeExceededException e) {
        query.ended.run();
        return new NoDocuments();
      }
    }

    @Override
    public long cost() {
      try {
        return in.cost();
      } catch (TimeExceededException e) {
        return 0; // the scorer will find out
      }
    }
  }

  private static final class NoDocuments extends BulkScorer {
    @Override
    public int score(LeafCollector collector, @Nullable Bits acceptDocs, int min, int max) {
      return DocIdSetIterator.NO_MORE_DOCS;
    }

    @Override
    public long cost() {
      return 0;
    }
  }
}
