package io.millrace.write.profiles;

import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.settings.Switch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.refresh.RefreshStats;
import org.opensearch.index.search.stats.SearchStats;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Refreshes shards sooner while somebody searches them, where the index has a freshness.
 *
 * <p>Stock has two modes: with an explicit refresh interval a shard refreshes at that rate always,
 * without one every second while it was searched within {@code index.search.idle.after}
 * (IndexShard#scheduledRefresh at 3.8.0). A profile wants a third: a slow rate always, which stock
 * keeps by the explicit interval, and a fast one only while searched, which this class adds through
 * stock's own {@link IndexShard#scheduledRefresh}. Without this class (switched off, or the plugin
 * removed) the slow rate stays.
 *
 * <p>The promise is kept at the least cost: a refresh of anybody else (the interval, a flush, a
 * request) counts, and a refresh starts as late as the promise allows, which is one look and the
 * time of the shard's last refresh before its end. Refreshes of several shards run side by side in
 * stock's refresh pool, so that one slow shard does not make the others late.
 */
final class ShardFreshness implements IndexEventListener {
  private static final Logger LOG = LogManager.getLogger(ShardFreshness.class);
  static final TimeValue TICK = TimeValue.timeValueSeconds(1);

  private final Switch enabled;
  private final Map<ShardId, Watched> shards = new ConcurrentHashMap<>();
  final LongAdder refreshes = new LongAdder();
  final LongAdder refreshMillis = new LongAdder();

  /** What is known of a shard; its fields belong to the thread that looks, but two. */
  private static final class Watched {
    final IndexShard shard;

    /** Everything written before this shows; -1 until the first look. */
    long freshSince = -1;

    long lastLook;
    long refreshesSeen;
    long refreshMillisSeen;
    boolean searched;
    @Nullable Settings seen;
    long freshness = -1;
    volatile boolean running;
    volatile long lastTookMillis;

    Watched(IndexShard shard) {
      this.shard = shard;
    }

    /** In milliseconds; -1 where none is promised, also while refreshes are switched off. */
    long freshness() {
      IndexSettings index = shard.indexSettings();
      Settings now = index.getSettings();
      if (now != seen) { // as seldom as somebody changes them
        seen = now;
        freshness =
            index.getRefreshInterval().millis() < 0
                ? -1
                : index.getValue(Profile.FRESHNESS).millis();
      }
      return freshness;
    }
  }

  ShardFreshness(Switch enabled) {
    this.enabled = enabled;
  }

  /** Watches the shards of an index that this node opens: any may be given a freshness later. */
  void watch(IndexModule module) {
    module.addIndexEventListener(this);
  }

  /** Looks once a second until the node closes. */
  Scheduler.Cancellable start(ThreadPool threadPool) {
    Executor refreshPool = threadPool.executor(ThreadPool.Names.REFRESH);
    return threadPool.scheduleWithFixedDelay(
        () -> lookAtAll(threadPool.relativeTimeInMillis(), refreshPool),
        TICK,
        ThreadPool.Names.GENERIC);
  }

  @Override
  public void afterIndexShardStarted(IndexShard shard) {
    shards.put(shard.shardId(), new Watched(shard));
  }

  @Override
  public void beforeIndexShardClosed(
      ShardId shardId, @Nullable IndexShard shard, Settings settings) {
    shards.remove(shardId);
  }

  /** Shards with a freshness, as of the last look. */
  int watched() {
    return (int) shards.values().stream().filter(shard -> shard.freshness >= 0).count();
  }

  /**
   * Starts the refreshes that are due.
   *
   * @param now milliseconds of a clock that never goes back
   * @param refreshPool runs them
   */
  void lookAtAll(long now, Executor refreshPool) {
    if (!enabled.on()) {
      return;
    }
    for (Watched watched : shards.values()) {
      try {
        if (due(watched, now)) {
          watched.running = true;
          watched.freshSince = now;
          refreshPool.execute(() -> refresh(watched));
        }
      } catch (RejectedExecutionException e) {
        watched.running = false; // the node closes
      } catch (RuntimeException e) {
        LOG.debug(
            "shard {} could not be checked; it is checked again next time",
            watched.shard.shardId(),
            e);
      }
    }
  }

  private static boolean due(Watched watched, long now) {
    IndexShard shard = watched.shard;
    long freshness = watched.freshness();
    if (freshness < 0 || watched.running || shard.isSearchIdle() || !searched(watched)) {
      return false;
    }
    RefreshStats stats = shard.refreshStats();
    if (stats.getExternalTotal() != watched.refreshesSeen) {
      // it ended since the last look, so it began at most its own time before that
      long took = stats.getExternalTotalTimeInMillis() - watched.refreshMillisSeen;
      watched.freshSince = Math.max(watched.freshSince, watched.lastLook - took);
      watched.refreshesSeen = stats.getExternalTotal();
      watched.refreshMillisSeen = stats.getExternalTotalTimeInMillis();
    }
    watched.lastLook = now;
    long margin = Math.min(TICK.millis() + watched.lastTookMillis, freshness);
    return watched.freshSince < 0 || now - watched.freshSince >= freshness - margin;
  }

  /** A shard that has just started counts as searched to {@link IndexShard#isSearchIdle}. */
  private static boolean searched(Watched watched) {
    if (!watched.searched) {
      SearchStats.Stats stats = watched.shard.searchStats().getTotal();
      watched.searched = stats.getQueryCount() + stats.getQueryCurrent() > 0;
    }
    return watched.searched;
  }

  private void refresh(Watched watched) {
    long start = System.nanoTime();
    try {
      if (watched.shard.scheduledRefresh()) {
        refreshes.increment();
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        watched.lastTookMillis = took;
        refreshMillis.add(took);
      }
    } catch (RuntimeException e) {
      LOG.debug("shard {} was not refreshed; it tries again", watched.shard.shardId(), e);
    } finally {
      watched.running = false;
    }
  }
}
