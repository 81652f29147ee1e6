package io.millrace.guard.breaker;

import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.search.aggregations.MultiBucketConsumerService.MultiBucketConsumer;

/**
 * Stock's count of buckets with a check point: an aggregator tells it of every bucket the moment it
 * is made (BucketsAggregator#collectExistingBucket, {@code accept(0)}), long before the results are
 * built.
 *
 * <p>Everything is passed on to stock's own consumer, so that {@code search.max_buckets} and its
 * breaker work as ever.
 */
final class CountedBuckets extends MultiBucketConsumer {
  private static final int EVERY = 64;

  /** Large buckets are told of sooner, bytes. */
  private static final long SOON = 1 << 20;

  private final MultiBucketConsumer stock;
  private final SearchMemory memory;
  private final long bytesPerBucket;
  private final long every;
  private final Runnable made;
  private final AtomicLong buckets = new AtomicLong();

  /**
   * @param made called by the thread that made a bucket, for its first one at least
   */
  CountedBuckets(
      MultiBucketConsumer stock, SearchMemory memory, long bytesPerBucket, Runnable made) {
    super(stock.getLimit(), new NoopCircuitBreaker(CircuitBreaker.REQUEST));
    this.stock = stock;
    this.memory = memory;
    this.bytesPerBucket = bytesPerBucket;
    this.made = made;
    this.every = Math.clamp(SOON / Math.max(1, bytesPerBucket), 1, EVERY);
  }

  @Override
  public void accept(int value) {
    stock.accept(value);
    if (value != 0) {
      return;
    }
    made.run();
    if (buckets.incrementAndGet() % every == 0) {
      memory.declare(every * bytesPerBucket);
      memory.look();
    }
  }

  @Override
  public void reset() {
    stock.reset();
  }

  @Override
  public int getCount() {
    return stock.getCount();
  }
}
