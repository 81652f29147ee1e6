package io.millrace.search.timepruning;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
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
    Weight byStock = searcher.createWeight(searcher.rewrite(stock), scoreMode, boost);
    Query rewritten = searcher.rewrite(values);
    Weight byValues = searcher.createWeight(rewritten, scoreMode, boost);
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
        return new Skipping(skipping, plan.cost());
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

    Skipping(ScorerSupplier in, long cost) {
      this.in = in;
      this.cost = cost;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      return in.get(leadCost);
    }

    @Override
    public long cost() {
      return cost;
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
