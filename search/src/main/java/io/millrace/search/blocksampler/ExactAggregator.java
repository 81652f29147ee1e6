package io.millrace.search.blocksampler;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.AggregatorFactories;
import org.opensearch.search.aggregations.CardinalityUpperBound;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.LeafBucketCollector;
import org.opensearch.search.aggregations.LeafBucketCollectorBase;
import org.opensearch.search.aggregations.bucket.BucketsAggregator;
import org.opensearch.search.aggregations.bucket.SingleBucketAggregator;
import org.opensearch.search.internal.SearchContext;

/** Hands every document on: for shards that are too small for a sample. */
final class ExactAggregator extends BucketsAggregator implements SingleBucketAggregator {
  private final Sampling sampling;

  ExactAggregator(
      String name,
      Sampling sampling,
      AggregatorFactories factories,
      SearchContext context,
      Aggregator parent,
      CardinalityUpperBound cardinality,
      Map<String, Object> meta)
      throws IOException {
    super(name, factories, context, parent, cardinality, meta);
    this.sampling = sampling;
  }

  @Override
  protected LeafBucketCollector getLeafCollector(LeafReaderContext leaf, LeafBucketCollector sub) {
    return new LeafBucketCollectorBase(sub, null) {
      @Override
      public void collect(int doc, long bucket) throws IOException {
        collectBucket(sub, doc, bucket);
      }
    };
  }

  @Override
  public InternalAggregation[] buildAggregations(long[] owners) throws IOException {
    return buildAggregationsForSingleBucket(
        owners,
        (bucket, children) ->
            new InternalBlockSampler(
                name, bucketDocCount(bucket), children, metadata(), sampling, false, 0, List.of()));
  }

  @Override
  public InternalAggregation buildEmptyAggregation() {
    return new InternalBlockSampler(
        name, 0, buildEmptySubAggregations(), metadata(), sampling, false, 0, List.of());
  }
}
