package io.millrace.observe.freshness;

import io.millrace.kernel.Metric.Sample;
import io.millrace.kernel.engine.EngineExtension;
import io.millrace.kernel.engine.ShardHooks;
import io.millrace.observe.gc.Durations;
import io.millrace.observe.nodes.NodeReportSource;
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
 * InternalEngine:315 at 3.8.0): it hears of the reader that searches get, not of the internal one.
 */
public final class Freshness implements EngineExtension, IndexEventListener, NodeReportSource {
  private final BooleanSupplier on;
  private final IntSupplier most;
  private final Map<ShardId, ShardClock> clocks = new ConcurrentHashMap<>();
  private final Map<ShardId, IndexShard> shards = new ConcurrentHashMap<>();
  private final Map<Index, Durations> waits = new ConcurrentHashMap<>();
  private final Durations all = new Durations();

  /**
   * @param most of how many indices to report
   */
  Freshness(BooleanSupplier on, IntSupplier most) {
    this.on = on;
    this.most = most;
  }

  /**
   * One index on this node.
   *
   * @param targetMillis what it promises; -1 where it promises nothing
   * @param searchIdle no shard refreshes by itself, because nobody searches
   */
  public record IndexFreshness(
      String index,
      String profile,
      long targetMillis,
      boolean searchIdle,
      long waitingNanos,
      long lastNanos,
      Durations waits) {
    /** Whether what was written is late by the promise. */
    public boolean late() {
      return targetMillis >= 0 && !searchIdle && waitingNanos > targetMillis * 1_000_000L;
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
    shards.put(shard.shardId(), shard);
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

  /** Drops what is not waiting any more; called once a second. */
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
  }

  /** The indices whose writes wait longest first, at most so many as the setting allows. */
  public List<IndexFreshness> indices() {
    Map<Index, List<IndexShard>> byIndex = new LinkedHashMap<>();
    shards
        .values()
        .forEach(shard ->
            byIndex.computeIfAbsent(shard.shardId().getIndex(), i -> new ArrayList<>()).add(shard));
    List<IndexFreshness> indices = new ArrayList<>();
    byIndex.forEach((index, held) -> {
      long waiting = 0;
      long last = 0;
      boolean idle = true;
      for (IndexShard shard : held) {
        ShardClock clock = clocks.get(shard.shardId());
        if (clock != null) {
          waiting = Math.max(waiting, clock.waitingNanos());
          last = Math.max(last, clock.lastNanos());
        }
        idle &= shard.isSearchIdle() && !shard.indexSettings().isExplicitRefresh();
      }
      Settings settings = held.getFirst().indexSettings().getSettings();
      String profile = settings.get("index.millrace.profile", "none");
      indices.add(
          new IndexFreshness(
              index.getName(),
              profile,
              Target.of(profile, settings),
              idle,
              waiting,
              last,
              waits.getOrDefault(index, all)));
    });
    indices.sort(
        Comparator.comparingLong(IndexFreshness::waitingNanos)
            .reversed()
            .thenComparing(IndexFreshness::index));
    return indices.subList(0, Math.min(most.getAsInt(), indices.size()));
  }

  List<Sample> samples(ToDoubleFunction<IndexFreshness> value) {
    return indices().stream()
        .map(index -> new Sample(Map.of("index", index.index()), value.applyAsDouble(index)))
        .toList();
  }

  /** Indices of this node whose writes are late by their promise. */
  public long late() {
    return indices().stream().filter(IndexFreshness::late).count();
  }

  @Override
  public Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    List<IndexFreshness> indices = indices();
    report.put("indices_shown", indices.size());
    Map<String, Object> byName = new LinkedHashMap<>();
    for (IndexFreshness index : indices) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("profile", index.profile());
      one.put("target_in_millis", index.targetMillis());
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
