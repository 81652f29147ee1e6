package io.millrace.search.deadline;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.aggregations.AbstractAggregationBuilder;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.AggregatorFactory;
import org.opensearch.search.aggregations.CardinalityUpperBound;
import org.opensearch.search.aggregations.metrics.TopHitsAggregationBuilder;
import org.opensearch.search.internal.SearchContext;

/**
 * Stock's {@code top_hits}, whose aggregators read their hits by another fetch phase. Lives on one
 * shard only: it is never parsed, sent or answered.
 */
final class TimedTopHits extends AbstractAggregationBuilder<TimedTopHits> {
  private final TopHitsAggregationBuilder in;
  private final TopHitsFetch fetch;

  TimedTopHits(TopHitsAggregationBuilder in, TopHitsFetch fetch) {
    super(in.getName());
    this.in = in;
    this.fetch = fetch;
  }

  @Override
  protected AggregatorFactory doBuild(
      QueryShardContext shard, AggregatorFactory parent, AggregatorFactories.Builder children)
      throws IOException {
    return new Factory(in.build(shard, parent), shard, parent, children, fetch);
  }

  /** Makes stock's aggregators. */
  private static final class Factory extends AggregatorFactory {
    private final AggregatorFactory in;
    private final TopHitsFetch fetch;

    Factory(
        AggregatorFactory in,
        QueryShardContext shard,
        AggregatorFactory parent,
        AggregatorFactories.Builder children,
        TopHitsFetch fetch)
        throws IOException {
      super(in.name(), shard, parent, children, Map.of());
      this.in = in;
      this.fetch = fetch;
    }

    @Override
    protected Aggregator createInternal(
        SearchContext context,
        Aggregator parent,
        CardinalityUpperBound cardinality,
        Map<String, Object> metadata)
        throws IOException {
      return in.create(new TopHitsContext(context, fetch), parent, cardinality);
    }

    /** As TopHitsAggregatorFactory#supportsConcurrentSegmentSearch at 3.8.0. */
    @Override
    protected boolean supportsConcurrentSegmentSearch() {
      return true;
    }
  }

  @Override
  public String getType() {
    return in.getType();
  }

  @Override
  public BucketCardinality bucketCardinality() {
    return in.bucketCardinality();
  }

  @Override
  protected AggregationBuilder shallowCopy(
      AggregatorFactories.Builder children, Map<String, Object> metadata) {
    return new TimedTopHits(in, fetch);
  }

  @Override
  protected void doWriteTo(StreamOutput out) {
    throw new UnsupportedOperationException("lives on one shard");
  }

  @Override
  protected XContentBuilder internalXContent(XContentBuilder builder, Params params)
      throws IOException {
    return builder.startObject().endObject();
  }
}
