package io.millrace.observe.freshness;

import io.millrace.kernel.profile.Profile;
import java.util.concurrent.TimeUnit;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.search.stats.SearchStats;
import org.opensearch.index.shard.IndexShard;

/**
 * A started shard of this node, and since when somebody searches it.
 *
 * <p>The freshness of a profile holds while a shard is searched ({@code ShardFreshness} of
 * write.profiles: some search ever, and one within {@code index.search.idle.after}). A shard is
 * judged by it only after it has been searched for that long: the first search after a pause finds
 * writes that waited as long as the refresh interval allows, and that is no fault.
 */
final class WatchedShard {
  private static final long NOBODY = Long.MIN_VALUE;

  private final IndexShard shard;
  private boolean everSearched; // of the thread that looks
  private volatile long searchedSince = NOBODY;

  WatchedShard(IndexShard shard) {
    this.shard = shard;
  }

  IndexShard shard() {
    return shard;
  }

  /** Notes whether it is searched; called once a second. */
  void look(long nowNanos) {
    boolean searched = !shard.isSearchIdle() && everSearched();
    if (!searched) {
      searchedSince = NOBODY;
    } else if (searchedSince == NOBODY) {
      searchedSince = nowNanos == NOBODY ? nowNanos + 1 : nowNanos;
    }
  }

  /** A shard that has just started counts as searched to {@link IndexShard#isSearchIdle}. */
  private boolean everSearched() {
    if (!everSearched) {
      SearchStats.Stats stats = shard.searchStats().getTotal();
      everSearched = stats.getQueryCount() + stats.getQueryCurrent() > 0;
    }
    return everSearched;
  }

  /** Nobody searches and no refresh interval is written: stock does not refresh it. */
  boolean searchIdle() {
    return !shard.indexSettings().isExplicitRefresh()
        && shard.isSearchIdle()
        && shard.isSearchIdleSupported();
  }

  /**
   * What it promises now.
   *
   * @param profiles whether write.profiles is on in this node: without it no freshness holds
   */
  Target target(Profile profile, boolean profiles, long nowNanos) {
    IndexSettings settings = shard.indexSettings();
    long freshness = profiles ? settings.getValue(Profile.FRESHNESS).millis() : -1;
    return Target.of(
        profile, settings.getSettings(), held(searchedSince, nowNanos, freshness) ? freshness : -1);
  }

  static boolean held(long sinceNanos, long nowNanos, long freshnessMillis) {
    return sinceNanos != NOBODY
        && freshnessMillis > 0
        && nowNanos - sinceNanos >= TimeUnit.MILLISECONDS.toNanos(freshnessMillis);
  }
}
