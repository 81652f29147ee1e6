package io.millrace.guard.breaker;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.MultiCollector;
import org.opensearch.common.lucene.MinimumScoreCollector;
import org.opensearch.common.util.LongArray;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.BucketCollectorProcessor;
import org.opensearch.search.aggregations.BucketOrder;
import org.opensearch.search.aggregations.InternalOrder;
import org.opensearch.search.aggregations.MultiBucketCollector;
import org.opensearch.search.aggregations.bucket.BucketUtils;
import org.opensearch.search.aggregations.bucket.BucketsAggregator;
import org.opensearch.search.aggregations.bucket.terms.MultiTermsAggregationBuilder;
import org.opensearch.search.aggregations.bucket.terms.TermsAggregationBuilder;
import org.opensearch.search.profile.aggregation.ProfilingAggregator;
import org.opensearch.search.profile.query.InternalProfileCollector;

/**
 * Counts what deferred sub-aggregations will keep, after the documents are collected and before the
 * buckets are built.
 *
 * <p>{@code terms} collects its sub-aggregations breadth first: it notes the documents of each
 * bucket, selects the best buckets when all documents are seen, and only then replays the documents
 * (BestBucketsDeferringCollector#prepareSelectedBuckets). The replay meets no check point: 1,500
 * buckets with percentiles of five digits took a heap of 1 GB within half a second. But what it
 * will take is known by then: the number of buckets, and what one of them keeps.
 */
final class DeferredBuckets extends BucketCollectorProcessor {
  private final Collection<AggregationBuilder> asked;
  private final SearchMemory memory;
  private final long documents;

  /**
   * @param asked the search's aggregations
   * @param documents of the shard: a queue is never longer
   */
  DeferredBuckets(Collection<AggregationBuilder> asked, SearchMemory memory, long documents) {
    this.asked = asked;
    this.memory = memory;
    this.documents = documents;
  }

  @Override
  public void processPostCollection(Collector tree) throws IOException {
    memory.look();
    long bytes = 0;
    for (Aggregator aggregator : aggregators(tree)) {
      for (AggregationBuilder builder : asked) {
        if (builder.getName().equals(aggregator.name())) {
          bytes += kept(aggregator, builder);
        }
      }
    }
    memory.pledge(bytes);
    super.processPostCollection(tree);
  }

  /** What the metrics below this aggregator keep when its buckets are built, bytes. */
  private long kept(Aggregator aggregator, AggregationBuilder builder) {
    Collection<AggregationBuilder> below = builder.getSubAggregations();
    if (aggregator instanceof ProfilingAggregator profile) {
      return kept(profile.getDelegate(), builder);
    }
    if (below.isEmpty() || !(aggregator instanceof BucketsAggregator buckets)) {
      return 0;
    }
    long bytes = built(buckets, builder) * BucketCost.ofMetrics(below, documents);
    for (AggregationBuilder each : below) {
      Aggregator next = buckets.subAggregator(each.getName());
      if (next != null) {
        bytes += kept(next, each);
      }
    }
    return bytes;
  }

  /**
   * Buckets that are built for certain; 0 where that is not known, or where their metrics were
   * collected with the documents and are counted already.
   */
  private static long built(BucketsAggregator buckets, AggregationBuilder builder) {
    return switch (builder) {
      case TermsAggregationBuilder terms ->
          Math.min(
              made(buckets.getDocCounts(), terms.shardMinDocCount()),
              selected(terms.size(), terms.shardSize(), terms.order()));
      case MultiTermsAggregationBuilder terms ->
          Math.min(
              made(buckets.getDocCounts(), terms.shardMinDocCount()),
              selected(terms.size(), terms.shardSize(), terms.order()));
      default -> 0;
    };
  }

  private static long made(LongArray counts, long leastDocuments) {
    long least = Math.max(1, leastDocuments);
    long made = 0;
    for (long i = 0; i < counts.size(); i++) {
      made += counts.get(i) >= least ? 1 : 0;
    }
    return made;
  }

  /** Terms that a shard answers with (TermsAggregatorFactory#doCreateInternal at 3.8.0). */
  private static long selected(int size, int shardSize, BucketOrder order) {
    if (shardSize > 0) {
      return Math.max(shardSize, size);
    }
    return InternalOrder.isKeyOrder(order) ? size : BucketUtils.suggestShardSideQueueSize(size);
  }

  private static List<Aggregator> aggregators(Collector tree) {
    List<Aggregator> found = new ArrayList<>();
    Deque<Collector> open = new ArrayDeque<>(List.of(tree));
    while (!open.isEmpty()) {
      switch (open.pop()) {
        case ProfilingAggregator profile -> open.push(profile.getDelegate());
        case Aggregator aggregator -> found.add(aggregator);
        case InternalProfileCollector profile -> open.push(profile.getCollector());
        case MinimumScoreCollector minimum -> open.push(minimum.getCollector());
        case MultiCollector all -> open.addAll(List.of(all.getCollectors()));
        case MultiBucketCollector all -> open.addAll(List.of(all.getCollectors()));
        default -> {} // collects hits
      }
    }
    return found;
  }
}
