package io.millrace.write.profiles;

import io.millrace.kernel.Switch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexModule;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Refreshes shards of profiled indices sooner while somebody searches them.
 *
 * <p>Stock has two modes: with an explicit refresh interval a shard refreshes at that rate always,
 * without one every second while it was searched within {@code index.search.idle.after}
 * (IndexShard:5407 at 3.8.0). A profile wants a third: a slow rate always, which stock keeps by the
 * explicit interval, and a fast one only while searched, which this class adds through stock's own
 * {@link IndexShard#scheduledRefresh}. Without this class (switched off, or the plugin removed) the
 * slow rate stays.
 */
final class ShardFreshness implements IndexEventListener {
  private static final Logger LOG = LogManager.getLogger(ShardFreshness.class);
  private static final TimeValue TICK = TimeValue.timeValueSeconds(1);

  private final Switch enabled;
  private final Map<ShardId, Watched> shards = new ConcurrentHashMap<>();
  final LongAdder refreshes = new LongAdder();

  private static final class Watched {
    final IndexShard shard;
    long lastRefreshMillis;

    Watched(IndexShard shard, long now) {
      this.shard = shard;
      this.lastRefreshMillis = now;
    }
  }

  ShardFreshness(Switch enabled) {
    this.enabled = enabled;
  }

  /** Watches the shards of an index that this node opens, if it has a profile or a freshness. */
  void watch(IndexModule module) {
    Settings settings = module.getSettings();
    if (ProfilesFeature.PROFILE.get(settings) != Profile.NONE
        || ProfilesFeature.FRESHNESS.exists(settings)) {
      module.addIndexEventListener(this);
    }
  }

  /** Looks once a second until the node closes. */
  Scheduler.Cancellable start(ThreadPool threadPool) {
    return threadPool.scheduleWithFixedDelay(
        () -> lookAtAll(threadPool.relativeTimeInMillis()), TICK, ThreadPool.Names.REFRESH);
  }

  @Override
  public void afterIndexShardStarted(IndexShard shard) {
    shards.put(shard.shardId(), new Watched(shard, 0));
  }

  @Override
  public void beforeIndexShardClosed(
      ShardId shardId, @org.jspecify.annotations.Nullable IndexShard shard, Settings settings) {
    shards.remove(shardId);
  }

  /** Shards watched now. */
  int watched() {
    return shards.size();
  }

  void lookAtAll(long now) {
    if (!enabled.on()) {
      return;
    }
    for (Watched watched : shards.values()) {
      IndexShard shard = watched.shard;
      TimeValue freshness = shard.indexSettings().getValue(ProfilesFeature.FRESHNESS);
      // one tick early, so that what is written just after a look is not a tick late
      boolean due = now - watched.lastRefreshMillis >= freshness.millis() - TICK.millis();
      if (freshness.millis() < 0 || !due || shard.isSearchIdle()) {
        continue;
      }
      try {
        watched.lastRefreshMillis = now;
        if (shard.scheduledRefresh()) {
          refreshes.increment();
        }
      } catch (RuntimeException e) {
        LOG.debug("shard {} was not refreshed; it tries again", shard.shardId(), e);
      }
    }
  }
}
