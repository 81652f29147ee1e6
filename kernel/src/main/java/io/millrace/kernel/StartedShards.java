package io.millrace.kernel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexShard;

/**
 * The shards of this node that have started and are not closed, for those that read the counters of
 * all of them. A shard may close while it is read, so that its statistics throw.
 */
public abstract class StartedShards implements IndexEventListener {
  private final Map<ShardId, IndexShard> shards = new ConcurrentHashMap<>();

  /** The shards of this moment; they come and go under whoever reads them. */
  protected final Map<ShardId, IndexShard> shards() {
    return shards;
  }

  @Override
  public final void afterIndexShardStarted(IndexShard shard) {
    shards.put(shard.shardId(), shard);
  }

  @Override
  public final void afterIndexShardClosed(
      ShardId shardId, @Nullable IndexShard shard, Settings settings) {
    shards.remove(shardId);
  }
}
