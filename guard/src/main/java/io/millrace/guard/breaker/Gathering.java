package io.millrace.guard.breaker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.lucene.search.TotalHits;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchProgressListener;
import org.opensearch.action.search.SearchShard;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.tasks.CancellableTask;

/**
 * A search that this node coordinates: the answers of shards that still wait to be reduced, and
 * what the reduces so far left.
 *
 * <p>Stock reduces {@code batched_reduce_size} answers at a time and drops them
 * (QueryPhaseResultConsumer.PendingReduces#consume at 3.8.0), but batches may queue up, and what is
 * left of them may be as large as they were: a partial reduce cuts no terms off. So nothing is
 * assumed about batches; the search's own progress listener is told which shards are reduced and
 * what is left.
 *
 * <p>Where another plugin has put its listener on the task, answers count until the search ends.
 */
final class Gathering extends SearchProgressListener {
  private final CancellableTask task;
  private final long kept;
  private final @Nullable GapBuckets gaps;
  private final HeapFactor factor;
  private final Consumer<Gathering> grew;
  private final AtomicReference<@Nullable Exception> refusal = new AtomicReference<>();
  private final Map<SearchShard, Answer> waiting = new HashMap<>();
  private long waitingBytes;
  private long aggregations;
  private long hits;
  private long perHit;

  /** One shard's, in bytes of objects; {@code hits} are so many of {@code perHit} each. */
  record Answer(long aggregations, int hits, long perHit) {
    long bytes() {
      return aggregations + hits * perHit;
    }
  }

  /**
   * @param kept hits that a reduce keeps, {@code from + size}
   * @param gaps what the final reduce will make beside what the shards send
   * @param grew called after a reduce, outside of any lock
   */
  Gathering(
      CancellableTask task,
      long kept,
      @Nullable GapBuckets gaps,
      HeapFactor factor,
      Consumer<Gathering> grew) {
    this.task = task;
    this.kept = kept;
    this.gaps = gaps;
    this.factor = factor;
    this.grew = grew;
  }

  CancellableTask task() {
    return task;
  }

  @Nullable GapBuckets gaps() {
    return gaps;
  }

  /** Why it was stopped. */
  AtomicReference<@Nullable Exception> refusal() {
    return refusal;
  }

  /** What it holds now, bytes. */
  synchronized long bytes() {
    return waitingBytes + aggregations + hits * perHit;
  }

  /** A shard has answered. */
  synchronized void received(SearchShard shard, Answer answer) {
    Answer before = waiting.put(shard, answer);
    waitingBytes += answer.bytes() - (before == null ? 0 : before.bytes());
    perHit = Math.max(perHit, answer.perHit());
  }

  /**
   * @param shards all that were reduced so far
   */
  @Override
  protected void onPartialReduce(
      List<SearchShard> shards,
      TotalHits totalHits,
      @Nullable InternalAggregations left,
      int reducePhase) {
    // it stays as objects
    long bytes = left == null ? 0 : (long) (left.getSerializedSize() * factor.value());
    synchronized (this) {
      for (SearchShard shard : shards) {
        Answer answer = waiting.remove(shard);
        if (answer != null) {
          waitingBytes -= answer.bytes();
          hits = Math.min(kept, hits + answer.hits());
        }
      }
      aggregations = bytes;
    }
    grew.accept(this);
  }

  @Override
  protected synchronized void onFinalReduce(
      List<SearchShard> shards,
      TotalHits totalHits,
      @Nullable InternalAggregations left,
      int reducePhase) {
    waiting.clear();
    waitingBytes = 0;
    aggregations = 0;
    hits = 0;
  }
}
