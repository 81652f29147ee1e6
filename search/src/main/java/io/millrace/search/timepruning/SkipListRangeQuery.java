package io.millrace.search.timepruning;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreScorerSupplier;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * A range that decides in each segment, by the skip list, between Lucene's two ways to find it:
 * points into a bit set, or doc values beside what leads the search.
 *
 * <p>Lucene takes the bit set unless what leads is eight times rarer, because it counts a look at
 * the doc values of every candidate. Where the skip list tells for most blocks that they lie in the
 * range or outside of it, there is next to nothing to look at.
 */
final class SkipListRangeQuery extends Query {
  private final IndexOrDocValuesQuery stock;
  private final Query values;
  private final PointRangeQuery points;
  private final LongAdder pruned;
  private final LongAdder declined;

  SkipListRangeQuery(
      IndexOrDocValuesQuery stock,
      Query values,
      PointRangeQuery points,
      LongAdder pruned,
      LongAdder declined) {
    this.stock = stock;
    this.values = values;
    this.points = points;
    this.pruned = pruned;
    this.declined = declined;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    // not by the searcher: the query cache keeps this query, and neither of its ways
    Weight byStock = searcher.rewrite(stock).createWeight(searcher, scoreMode, boost);
    Weight byValues = searcher.rewrite(values).createWeight(searcher, scoreMode, boost);
    BlockBounds bounds =
        new BlockBounds(
            points.getField(),
            NumericUtils.sortableBytesToLong(points.getLowerPoint(), 0),
            NumericUtils.sortableBytesToLong(points.getUpperPoint(), 0));
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        ScorerSupplier plan = byStock.scorerSupplier(leaf);
        if (plan == null) {
          return null;
        }
        if (!bounds.tell(leaf.reader(), plan.cost())) {
          declined.increment();
          return plan;
        }
        ScorerSupplier skipping = byValues.scorerSupplier(leaf);
        if (skipping == null) {
          return plan;
        }
        pruned.increment();
        return new Skipping(skipping, plan.cost(), boost, scoreMode, leaf.reader().maxDoc());
      }

      @Override
      public int count(LeafReaderContext leaf) throws IOException {
        return byStock.count(leaf);
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return byStock.isCacheable(leaf);
      }
    };
  }

  /** The doc values' documents at the cost of the points, which is their number. */
  private static final class Skipping extends ScorerSupplier {
    private final ScorerSupplier in;
    private final long cost;
    private final float score;
    private final ScoreMode mode;
    private final int maxDoc;

    Skipping(ScorerSupplier in, long cost, float score, ScoreMode mode, int maxDoc) {
      this.in = in;
      this.cost = cost;
      this.score = score;
      this.mode = mode;
      this.maxDoc = maxDoc;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      Scorer scorer = in.get(leadCost);
      TwoPhaseIterator candidates = scorer.twoPhaseIterator();
      return candidates == null
          ? scorer
          : new ConstantScoreScorer(score, mode, new LongRuns(candidates));
    }

    /** Where the range stands alone: whole blocks at a time. */
    @Override
    public BulkScorer bulkScorer() throws IOException {
      Scorer scorer = in.get(Long.MAX_VALUE);
      TwoPhaseIterator candidates = scorer.twoPhaseIterator();
      DocIdSetIterator documents =
          candidates == null
              ? scorer.iterator()
              : TwoPhaseIterator.asDocIdSetIterator(new LongRuns(candidates));
      return ConstantScoreScorerSupplier.fromIterator(documents, score, mode, maxDoc).bulkScorer();
    }

    @Override
    public long cost() {
      return cost;
    }
  }

  /**
   * The same documents, without runs of one.
   *
   * <p>Where a block is partly in the range, Lucene 10.5.0 says that the run which begins at a
   * candidate ends behind it, before the candidate is looked at
   * (SkipBlockRangeIterator#docIDRunEnd). DenseConjunctionBulkScorer#scoreWindow takes that for a
   * match when one document is left of what it was asked for, and counts one too many.
   */
  private static final class LongRuns extends TwoPhaseIterator {
    private final TwoPhaseIterator in;

    LongRuns(TwoPhaseIterator in) {
      super(in.approximation());
      this.in = in;
    }

    @Override
    public boolean matches() throws IOException {
      return in.matches();
    }

    @Override
    public float matchCost() {
      return in.matchCost();
    }

    @Override
    public int docIDRunEnd() throws IOException {
      int doc = approximation.docID();
      int end = in.docIDRunEnd();
      return end > doc + 1 ? end : doc;
    }

    @Override
    public void intoBitSet(int upTo, FixedBitSet bits, int offset) throws IOException {
      in.intoBitSet(upTo, bits, offset);
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    stock.visit(visitor);
  }

  @Override
  public String toString(String field) {
    return "by skip list: " + points.toString(field);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SkipListRangeQuery query && stock.equals(query.stock);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + stock.hashCode();
  }
}
