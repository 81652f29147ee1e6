package io.millrace.observe.freshness;

import io.millrace.kernel.metric.Durations;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.report.NodeReportSource;
import io.millrace.kernel.slot.EngineExtension;
import io.millrace.kernel.slot.ShardHooks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.search.ReferenceManager.RefreshListener;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexShard;

/**
 * The clocks of this node's writing shards, gathered by index.
 *
 * <p>The refresh listener enters through the engine's configuration (external listeners,
 * InternalEngine#InternalEngine at 3.8.0): it hears of the reader that searches get, not of the
 * internal one.
 */
public final class Freshness implements EngineExtension, IndexEventListener, NodeReportSource {
  private static final long GRACE_MILLIS = 1000;

  private static final Comparator<IndexFreshness> NEAREST_TO_THEIR_PROMISE =
      Comparator.comparing(IndexFreshness::searchIdle)
          .thenComparing(IndexFreshness::share, Comparator.reverseOrder())
          .thenComparing(IndexFreshness::waitingNanos, Comparator.reverseOrder())
          .thenComparing(IndexFreshness::index);

  private final BooleanSupplier on;
  private final IntSupplier most;
  private volatile BooleanSupplier profiles = () -> false;
  private final Map<ShardId, ShardClock> clocks = new ConcurrentHashMap<>();
  private final Map<ShardId, WatchedShard> shards = new ConcurrentHashMap<>();
  private final Map<Index, Durations> waits = new ConcurrentHashMap<>();
  private final Durations all = new Durations();

  /**
   * @param most of how many indices to report
   */
  Freshness(BooleanSupplier on, IntSupplier most) {
    this.on = on;
    this.most = most;
  }

  /** Whether write.profiles is on in this node. */
  void profiles(BooleanSupplier areOn) {
    profiles = areOn;
  }

  /**
   * One index on this node. Wait and promise are of that of its shards which is nearest to its
   * promise, or furthest past it.
   *
   * @param targetMillis what it promises now; -1 where it promises nothing
   * @param targetSetting which of its settings promises that; empty for none
   * @param searchIdle no shard refreshes by itself, because nobody searches
   */
  public record IndexFreshness(
      String index,
      String profile,
      long targetMillis,
      String targetSetting,
      boolean searchIdle,
      long waitingNanos,
      long lastNanos,
      Durations waits) {
    /**
     * The wait as a multiple of the promise plus a second; 0 where nothing is promised. The second
     * of grace is there because a refresh that starts on time ends a little later: of a thousand
     * indices some would always be late by milliseconds, and an interval of 100 ms is no promise to
     * the millisecond.
     */
    public double share() {
      return targetMillis > 0 && !searchIdle
          ? waitingNanos / 1e6 / (targetMillis + GRACE_MILLIS)
          : 0;
    }

    /** Whether what was written is late by the promise. */
    public boolean late() {
      return share() > 1;
    }
  }

  @Override
  public boolean wants(IndexSettings settings) {
    return true;
  }

  @Override
  public EngineConfig configure(EngineConfig config) {
    ShardId shard = config.getShardId();
    ShardClock clock =
        new ShardClock(
            on,
            System::nanoTime,
            waits.computeIfAbsent(shard.getIndex(), index -> new Durations()));
    clocks.put(shard, clock);
    List<RefreshListener> listeners = new ArrayList<>(config.getExternalRefreshListener());
    listeners.add(clock);
    return config.toBuilder().externalRefreshListener(listeners).build();
  }

  @Override
  public ShardHooks open(EngineConfig config) {
    ShardClock clock = clocks.get(config.getShardId());
    return clock == null ? ShardHooks.NONE : clock;
  }

  @Override
  public void afterIndexShardStarted(IndexShard shard) {
    shards.put(shard.shardId(), new WatchedShard(shard));
  }

  @Override
  public void afterIndexShardClosed(
      ShardId shardId, @Nullable IndexShard shard, Settings settings) {
    clocks.remove(shardId);
    shards.remove(shardId);
    if (clocks.keySet().stream().noneMatch(other -> other.getIndex().equals(shardId.getIndex()))) {
      waits.remove(shardId.getIndex());
    }
  }

  /** Drops what is not waiting any more and sees who is searched; called once a second. */
  void look() {
    if (!on.getAsBoolean()) {
      return;
    }
    for (ShardClock clock : clocks.values()) {
      try {
        clock.forgetIfVisible();
      } catch (RuntimeException e) {
        // the engine closes; its clock goes with it
      }
    }
    long now = System.nanoTime();
    for (WatchedShard shard : shards.values()) {
      try {
        shard.look(now);
      } catch (RuntimeException e) {
        // the shard closes
      }
    }
  }

  /** Every index with a shard on this node, nearest to its promise first, the idle ones last. */
  public List<IndexFreshness> all() {
    Map<Index, List<WatchedShard>> byIndex = new LinkedHashMap<>();
    for (WatchedShard shard : shards.values()) {
      byIndex
          .computeIfAbsent(shard.shard().shardId().getIndex(), index -> new ArrayList<>())
          .add(shard);
    }
    List<IndexFreshness> indices = new ArrayList<>(byIndex.size());
    long now = System.nanoTime();
    boolean kept = profiles.getAsBoolean();
    byIndex.forEach((index, held) ->
        indices.add(
            held.stream()
                .map(shard -> of(index, shard, kept, now))
                .reduce(Freshness::nearer)
                .orElseThrow()));
    indices.sort(NEAREST_TO_THEIR_PROMISE);
    return indices;
  }

  private IndexFreshness of(Index index, WatchedShard watched, boolean kept, long now) {
    ShardClock clock = clocks.get(watched.shard().shardId());
    Profile profile = Profile.SETTING.get(watched.shard().indexSettings().getSettings());
    Target target = watched.target(profile, kept, now);
    return new IndexFreshness(
        index.getName(),
        profile.key(),
        target.millis(),
        target.setting(),
        watched.searchIdle(),
        clock == null ? 0 : clock.waitingNanos(),
        clock == null ? 0 : clock.lastNanos(),
        waits.getOrDefault(index, all));
  }

  /**
   * Chooses which of two shards of an index to show, and gives it the longer of their last waits.
   */
  private static IndexFreshness nearer(IndexFreshness a, IndexFreshness b) {
    IndexFreshness shown = NEAREST_TO_THEIR_PROMISE.compare(a, b) <= 0 ? a : b;
    return new IndexFreshness(
        shown.index,
        shown.profile,
        shown.targetMillis,
        shown.targetSetting,
        shown.searchIdle,
        shown.waitingNanos,
        Math.max(a.lastNanos, b.lastNanos),
        shown.waits);
  }

  private List<IndexFreshness> shown(List<IndexFreshness> indices) {
    return indices.subList(0, Math.min(most.getAsInt(), indices.size()));
  }

  List<Sample> samples(ToDoubleFunction<IndexFreshness> value) {
    return shown(all()).stream()
        .map(index -> new Sample(Map.of("index", index.index()), value.applyAsDouble(index)))
        .toList();
  }

  /** Indices of this node whose writes are late by their promise. */
  public long late() {
    return all().stream().filter(IndexFreshness::late).count();
  }

  @Override
  public Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    List<IndexFreshness> indices = all();
    List<IndexFreshness> shown = shown(indices);
    report.put("indices_total", indices.size());
    report.put("indices_late", indices.stream().filter(IndexFreshness::late).count());
    report.put("indices_shown", shown.size());
    Map<String, Object> byName = new LinkedHashMap<>();
    for (IndexFreshness index : shown) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("profile", index.profile());
      one.put("target_in_millis", index.targetMillis());
      one.put("target_setting", index.targetSetting());
      one.put("late", index.late());
      one.put("search_idle", index.searchIdle());
      one.put("waiting_in_millis", index.waitingNanos() / 1_000_000);
      one.put("last_wait_in_millis", index.lastNanos() / 1_000_000);
      one.put("waits", index.waits().report());
      byName.put(index.index(), one);
    }
    report.put("indices", byName);
    return report;
  }
}
