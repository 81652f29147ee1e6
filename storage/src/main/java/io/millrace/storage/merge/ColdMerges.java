package io.millrace.storage.merge;

import io.millrace.kernel.PrivilegedAccess;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.indices.forcemerge.ForceMergeRequest;
import org.opensearch.cluster.routing.allocation.DiskThresholdSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.IndexShardClosedException;
import org.opensearch.index.shard.IndexShardState;

/**
 * Merges shards that nobody has written to for a while, one at a time per node.
 *
 * <p>A policy merges only when something is written; what is left when a log index rolls over stays
 * in dozens of segments for its whole life. Each look takes the shard that is idle longest and has
 * more segments than its size calls for, unless the node is busy or the disk could not hold the
 * merged copy beside the old one above the low watermark. The executor may keep it for hours behind
 * force merges of users, so everything is asked again when its turn comes.
 */
final class ColdMerges implements IndexEventListener {
  private static final Logger logger = LogManager.getLogger(ColdMerges.class);

  private final Map<ShardId, Idle> shards = new ConcurrentHashMap<>();
  private final AtomicBoolean merging = new AtomicBoolean();
  private final Limits limits;
  private final DiskThresholdSettings watermarks;
  private final Executor executor;

  final LongAdder merged = new LongAdder();
  final LongAdder mergedBytes = new LongAdder();
  final LongAdder postponed = new LongAdder();
  final LongAdder failed = new LongAdder();

  /**
   * @param coldMillis how long without a write, negative: never
   * @param maxCpu percent of the machine's CPU above which nothing is started
   * @param cpu percent of the machine's CPU in use now, negative if unknown
   */
  record Limits(LongSupplier coldMillis, IntSupplier maxCpu, IntSupplier cpu) {}

  private static final class Idle {
    final IndexShard shard;
    long sequence = -2;
    long since;

    /** The last operation that a merge has covered; written by the thread that merges. */
    volatile long done = -3;

    Idle(IndexShard shard) {
      this.shard = shard;
    }
  }

  ColdMerges(Limits limits, DiskThresholdSettings watermarks, Executor executor) {
    this.limits = limits;
    this.watermarks = watermarks;
    this.executor = executor;
  }

  @Override
  public void afterIndexShardStarted(IndexShard shard) {
    shards.put(shard.shardId(), new Idle(shard));
  }

  @Override
  public void beforeIndexShardClosed(
      ShardId shardId, @Nullable IndexShard shard, Settings indexSettings) {
    shards.remove(shardId);
  }

  /** Looks at every shard; starts at most one merge. {@code now} is any clock in milliseconds. */
  void look(long now) {
    long cold = limits.coldMillis.getAsLong();
    if (cold < 0) {
      return;
    }
    List<Idle> due =
        shards.values().stream()
            .filter(idle -> isDue(idle, now, cold))
            .sorted(Comparator.comparingLong(idle -> idle.since))
            .toList();
    if (due.isEmpty() || merging.get()) {
      return;
    }
    if (limits.cpu.getAsInt() > limits.maxCpu.getAsInt()) {
      postponed.increment();
      return;
    }
    for (Idle idle : due) {
      if (!hasRoom(idle.shard)) {
        postponed.increment();
      } else if (merging.compareAndSet(false, true)) {
        long covered = idle.sequence;
        try {
          executor.execute(() -> merge(idle, covered));
        } catch (OpenSearchRejectedExecutionException e) {
          merging.set(false);
          logger.debug("the node stops", e);
        }
        return;
      }
    }
  }

  private static boolean isDue(Idle idle, long now, long cold) {
    IndexShard shard = idle.shard;
    try {
      if (shard.state() != IndexShardState.STARTED
          || shard.indexSettings().isSegRepEnabledOrRemoteNode()
              && !shard.routingEntry().primary()) {
        return false;
      }
      long sequence = shard.seqNoStats().getMaxSeqNo();
      if (sequence != idle.sequence) {
        idle.sequence = sequence;
        idle.since = now;
      }
      return sequence >= 0
          && sequence != idle.done
          && now - idle.since >= cold
          && shard.segmentStats(false, false).getCount() > target(shard);
    } catch (RuntimeException e) {
      return false; // closing
    }
  }

  /** One segment, or as many as the policy's largest segments make up the shard. */
  private static int target(IndexShard shard) {
    long largest = MergeFeature.maximum(shard.indexSettings());
    return (int) Math.max(1, Math.ceilDiv(bytes(shard), largest));
  }

  private static long bytes(IndexShard shard) {
    return shard.storeStats().sizeInBytes();
  }

  private boolean hasRoom(IndexShard shard) {
    try {
      Path folder = shard.shardPath().getDataPath();
      FileStore store = PrivilegedAccess.call(() -> Files.getFileStore(folder));
      long total = PrivilegedAccess.call(store::getTotalSpace);
      long left = PrivilegedAccess.call(store::getUsableSpace) - bytes(shard);
      return left > 0
          && (!watermarks.isEnabled()
              || left >= watermarks.getFreeBytesThresholdLow().getBytes()
                  && 100.0 * left / total >= watermarks.getFreeDiskThresholdLow());
    } catch (IOException | RuntimeException e) {
      logger.debug("no merge of {}: the free space of its disk cannot be read", shard.shardId(), e);
      return false;
    }
  }

  private void merge(Idle idle, long covered) {
    IndexShard shard = idle.shard;
    try {
      if (!isStillWanted(idle, covered)) {
        postponed.increment();
        return;
      }
      long bytes = bytes(shard);
      shard.forceMerge(request(target(shard)));
      // what was written meanwhile is not covered
      idle.done = covered;
      merged.increment();
      mergedBytes.add(bytes);
      logger.info("{} had no writes: merged {} bytes", shard.shardId(), bytes);
    } catch (AlreadyClosedException | IndexShardClosedException e) {
      logger.debug("{} was closed before it was merged", shard.shardId(), e);
    } catch (IOException | RuntimeException e) {
      idle.done = covered;
      failed.increment();
      logger.warn(() -> shard.shardId() + " could not be merged; it is left as it is", e);
    } finally {
      merging.set(false);
    }
  }

  private boolean isStillWanted(Idle idle, long covered) {
    IndexShard shard = idle.shard;
    return limits.coldMillis.getAsLong() >= 0
        && shards.get(shard.shardId()) == idle
        && shard.state() == IndexShardState.STARTED
        && shard.seqNoStats().getMaxSeqNo() == covered
        && limits.cpu.getAsInt() <= limits.maxCpu.getAsInt()
        && hasRoom(shard);
  }

  private static ForceMergeRequest request(int segments) {
    return new ForceMergeRequest().maxNumSegments(segments).flush(true);
  }

  int watched() {
    return shards.size();
  }
}
