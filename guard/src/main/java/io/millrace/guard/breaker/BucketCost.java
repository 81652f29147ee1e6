package io.millrace.guard.breaker;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.metrics.CardinalityAggregationBuilder;
import org.opensearch.search.aggregations.metrics.MedianAbsoluteDeviationAggregationBuilder;
import org.opensearch.search.aggregations.metrics.PercentileRanksAggregationBuilder;
import org.opensearch.search.aggregations.metrics.PercentilesAggregationBuilder;
import org.opensearch.search.aggregations.metrics.PercentilesConfig;
import org.opensearch.search.aggregations.metrics.ScriptedMetricAggregationBuilder;
import org.opensearch.search.aggregations.metrics.TopHitsAggregationBuilder;

/**
 * What one bucket of a search's aggregation tree keeps on the heap, read off the request.
 *
 * <p>top_hits makes a full queue of {@code from + size} entries for every bucket, filled with
 * placeholders (TopHitsAggregator#getLeafCollector at 3.8.0, TopScoreDocCollectorManager; Lucene's
 * HitQueue prepopulates), whether or not the bucket has that many documents: 60,000 buckets with
 * {@code size: 100} are 190 MB before the first hit is read. None of it is charged to a breaker.
 *
 * @param bytes the most that one bucket anywhere in the tree keeps, beside what BigArrays charge
 * @param collects whether scripts collect whatever they like
 */
record BucketCost(long bytes, boolean collects) {
  /** A ScoreDoc with header and its slot in the queue's array. */
  private static final long SCORE_ENTRY = 24 + 4;

  /** A FieldValueHitQueue entry, its slot, and a comparator's slot for each sort field. */
  private static final long FIELD_ENTRY = 32 + 4;

  private static final long PER_FIELD = 16;
  private static final long COLLECTORS = 400;
  private static final long SCRIPT_STATE = 5 * 1024;
  private static final long HDR = 4 * 1024;

  /** Two centroids for each unit of compression, and five times as many values that wait. */
  private static final long PER_COMPRESSION = 270;

  /** Stock's default. */
  private static final double COMPRESSION = 100;

  private static final long SKETCH = 128;

  static final BucketCost NONE = new BucketCost(0, false);

  /**
   * @param documents of the shard: a queue is never longer
   */
  static BucketCost of(Collection<AggregationBuilder> aggregations, long documents) {
    long deeper = 0;
    boolean collects = false;
    for (AggregationBuilder aggregation : aggregations) {
      BucketCost below = of(aggregation.getSubAggregations(), documents);
      deeper = Math.max(deeper, below.bytes);
      collects |= below.collects || aggregation instanceof ScriptedMetricAggregationBuilder;
    }
    return new BucketCost(Math.max(ofMetrics(aggregations, documents), deeper), collects);
  }

  /**
   * What the metrics among these aggregations keep for one bucket, bytes, without what is below
   * them.
   *
   * @param documents of the shard: a queue is never longer
   */
  static long ofMetrics(Collection<AggregationBuilder> aggregations, long documents) {
    long bytes = 0;
    for (AggregationBuilder aggregation : aggregations) {
      bytes +=
          switch (aggregation) {
            case TopHitsAggregationBuilder hits -> queue(hits, documents);
            case ScriptedMetricAggregationBuilder script -> SCRIPT_STATE;
            case PercentilesAggregationBuilder percentiles ->
                digest(percentiles.percentilesConfig());
            case PercentileRanksAggregationBuilder ranks -> digest(ranks.percentilesConfig());
            case MedianAbsoluteDeviationAggregationBuilder median -> digest(median.compression());
            case CardinalityAggregationBuilder cardinality -> SKETCH;
            default -> 0;
          };
    }
    return bytes;
  }

  /**
   * A digest of fixed precision begins with a counter for each value that it can tell apart between
   * a number and twice that number, and the same again for each doubling of its range
   * (DoubleHistogram of HdrHistogram): 5 digits are 2 MB in every bucket before the second value.
   */
  private static long digest(@Nullable PercentilesConfig config) {
    if (!(config instanceof PercentilesConfig.Hdr hdr)) {
      return digest(compression(config));
    }
    long values = Math.round(2 * Math.pow(10, hdr.getNumberOfSignificantValueDigits()));
    return Math.max(HDR, Long.highestOneBit(values) * 2 * Long.BYTES);
  }

  /**
   * A digest by compression makes all its arrays with the first value, whatever it will hold
   * (MergingDigest of t-digest): one with a compression of 100 million takes 27 GB.
   */
  static long digest(double compression) {
    return (long) (compression * PER_COMPRESSION);
  }

  private static double compression(@Nullable PercentilesConfig config) {
    return config instanceof PercentilesConfig.TDigest digest
        ? digest.getCompression()
        : COMPRESSION;
  }

  /** The largest compression of a digest in the tree; 0 without one. */
  static double compression(Collection<AggregationBuilder> aggregations) {
    double largest = 0;
    for (AggregationBuilder aggregation : aggregations) {
      double own =
          switch (aggregation) {
            case PercentilesAggregationBuilder percentiles ->
                compression(percentiles.percentilesConfig());
            case PercentileRanksAggregationBuilder ranks -> compression(ranks.percentilesConfig());
            case MedianAbsoluteDeviationAggregationBuilder median -> median.compression();
            default -> 0;
          };
      largest = Math.max(largest, Math.max(own, compression(aggregation.getSubAggregations())));
    }
    return largest;
  }

  private static long queue(TopHitsAggregationBuilder hits, long documents) {
    long entries = Math.min((long) hits.from() + hits.size(), documents);
    int fields = hits.sorts() == null ? 0 : hits.sorts().size();
    // sorted queues grow with the bucket's documents; only the comparators' arrays are there at
    // once
    return COLLECTORS
        + (fields == 0 ? entries * SCORE_ENTRY : entries * (4 + (long) fields * PER_FIELD));
  }

  /**
   * What the queue of a search's own hits takes before the first document is collected.
   *
   * @param hits {@code from + size}
   * @param fields sort fields; 0 sorts by score
   * @param slices that collect side by side, each with a queue
   */
  static long hits(long hits, int fields, int slices, long documents) {
    long entries = Math.min(hits, documents);
    return Math.max(1, slices)
        * (fields == 0 ? entries * SCORE_ENTRY : entries * (FIELD_ENTRY + fields * PER_FIELD));
  }
}
