package io.millrace.pipelines.streams;

import io.millrace.pipelines.streams.StreamFigures.State;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.action.admin.indices.streamingingestion.state.ShardIngestionState;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.pollingingest.PollingIngestStats;

/**
 * A shard that reads a stream, looked at once a second.
 *
 * <p>Stock counts what was polled and processed (DefaultStreamPoller#getStats at 3.8.0) and how old
 * the last record was. How long records wait in the queue and for a refresh comes out of the counts
 * of several looks.
 */
final class StreamShard {
  /** Looks in a row: a shard that was just told to pause or to read on is none that stopped. */
  private static final int STOPPED_LOOKS = 3;

  private final IndexShard shard;
  private final Backlog queue = new Backlog();
  private final Backlog unseen = new Backlog();
  private long looked;
  private long fetched;
  private long fetchedNanos;
  private long searchable;
  private long refreshes;
  private int stoppedLooks;

  StreamShard(IndexShard shard, long nanos) {
    this.shard = shard;
    looked = nanos;
    fetchedNanos = nanos;
    refreshes = shard.refreshStats().getExternalTotal();
  }

  /** The figures of now; null of a copy that does not read, such as a replica of segments. */
  @Nullable StreamFigures look(long nanos) {
    PollingIngestStats stats;
    ShardIngestionState state;
    try {
      stats = shard.pollingIngestStats();
      state = stats == null ? null : shard.getIngestionState();
    } catch (OpenSearchException | IllegalStateException e) {
      return null; // it is being closed or opened
    }
    return stats == null || state == null ? null : figures(nanos, stats, state);
  }

  private StreamFigures figures(long nanos, PollingIngestStats stats, ShardIngestionState state) {
    PollingIngestStats.ConsumerStats consumer = stats.getConsumerStats();
    PollingIngestStats.MessageProcessorStats processor = stats.getMessageProcessorStats();
    PollingIngestStats.PipelineStats pipeline = stats.getPipelineStats();
    long polled = consumer.totalPolledCount() - consumer.totalPollerMessageFailureCount();
    // a failed try counts as processed, and so does each that follows on the same record
    long processed =
        processor.totalProcessedCount()
            - processor.totalFailedCount()
            + processor.totalFailuresDroppedCount();
    State now = state(state);
    StreamFigures figures =
        new StreamFigures(
            shard.shardId().getIndexName(),
            shard.shardId().id(),
            now,
            consumer.pointerBasedLag(),
            now == State.PAUSED ? 0 : fetchDelay(nanos, consumer),
            Math.max(0, polled - processed),
            millis(queue.look(looked, nanos, polled, processed)),
            millis(search(nanos, processed)),
            processed - processor.totalFailuresDroppedCount(),
            consumer.totalPollerMessageFailureCount() + processor.totalFailedCount(),
            consumer.totalPollerMessageDroppedCount() + processor.totalFailuresDroppedCount(),
            consumer.totalConsumerErrorCount(),
            pipeline.totalExecutionCount(),
            pipeline.totalExecutionTimeInMillis());
    looked = nanos;
    return figures;
  }

  /**
   * Stock calls a stream empty whose broker is away, and keeps the lag that it knew last: where
   * records wait and none comes, the time since the last one counts.
   */
  private long fetchDelay(long nanos, PollingIngestStats.ConsumerStats consumer) {
    if (consumer.totalPolledCount() != fetched || consumer.pointerBasedLag() <= 0) {
      fetched = consumer.totalPolledCount();
      fetchedNanos = nanos;
    }
    return Math.max(consumer.lagInMillis(), millis(nanos - fetchedNanos));
  }

  /**
   * A refresh since the last look counts as one of now: which of the records of that second it
   * shows is not known, and where none follow them there is no further refresh that would tell.
   */
  private long search(long nanos, long processed) {
    long now = shard.refreshStats().getExternalTotal();
    if (now != refreshes) {
      searchable = processed;
      refreshes = now;
    }
    return unseen.look(looked, nanos, processed, Math.min(searchable, processed));
  }

  private State state(ShardIngestionState state) {
    if (shard.indexSettings().getIndexMetadata().getIngestionStatus().isPaused()) {
      stoppedLooks = 0;
      return State.PAUSED;
    }
    stoppedLooks = state.isPollerPaused() || state.isWriteBlockEnabled() ? stoppedLooks + 1 : 0;
    return stoppedLooks >= STOPPED_LOOKS ? State.STOPPED : State.READING;
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
