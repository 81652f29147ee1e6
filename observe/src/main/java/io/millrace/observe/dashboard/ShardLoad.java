package io.millrace.observe.dashboard;

import io.millrace.kernel.StartedShards;
import io.millrace.kernel.report.NodeReportSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.shard.IndexShard;

/**
 * Which shards and indices keep this node busy: rates between the last two requests.
 *
 * <p>Why here and not in the page: the page would need the counters of every shard with every
 * refresh, which is some 400 KB of JSON each five seconds for a node of 1,000 shards. A node needs
 * four longs a shard and answers with the busiest few. Nothing runs and nothing is kept while
 * nobody asks. Several viewers share the looks: one is taken at most every two seconds.
 */
public final class ShardLoad extends StartedShards implements NodeReportSource {
  private static final long APART = 2_000_000_000L;
  private static final long STALE = 60_000_000_000L;

  private final BooleanSupplier on;
  private final IntSupplier most;
  private final LongSupplier nanos;
  private @Nullable Look before;
  private @Nullable Look latest;

  /** The counters of every shard at one moment. */
  record Look(long nanos, Map<ShardId, Work> work) {}

  /**
   * @param most how many shards and indices to report
   * @param nanos the clock
   */
  ShardLoad(BooleanSupplier on, IntSupplier most, LongSupplier nanos) {
    this.on = on;
    this.most = most;
    this.nanos = nanos;
  }

  /** Forgets the looks; while the feature is off nothing is kept. */
  synchronized void forget() {
    before = null;
    latest = null;
  }

  @Override
  public synchronized Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("shards_total", shards().size());
    if (!on.getAsBoolean()) {
      forget();
      report.put("over_seconds", 0.0);
      report.put("shards", List.of());
      report.put("indices", List.of());
      return report;
    }
    Look now = look();
    if (latest == null || now.nanos - latest.nanos > STALE) {
      before = null;
      latest = now;
    } else if (now.nanos - latest.nanos >= APART) {
      before = latest;
      latest = now;
    }
    rates(report);
    return report;
  }

  private void rates(Map<String, Object> report) {
    Look from = before;
    Look to = latest;
    if (from == null || to == null) {
      report.put("over_seconds", 0.0);
      report.put("shards", List.of());
      report.put("indices", List.of());
      return;
    }
    double seconds = (to.nanos - from.nanos) / 1e9;
    Map<ShardId, Work> done = done(from, to);
    Map<String, Work> byIndex = new LinkedHashMap<>();
    done.forEach((shard, work) -> byIndex.merge(shard.getIndexName(), work, Work::plus));
    report.put("over_seconds", Math.round(seconds * 10) / 10.0);
    List<Object> hot = new ArrayList<>();
    for (Map.Entry<ShardId, Work> entry : busiest(done)) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("index", entry.getKey().getIndexName());
      one.put("shard", entry.getKey().id());
      describe(entry.getKey(), one);
      one.putAll(entry.getValue().perSecond(seconds));
      hot.add(one);
    }
    report.put("shards", hot);
    List<Object> indices = new ArrayList<>();
    for (Map.Entry<String, Work> entry : busiest(byIndex)) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("index", entry.getKey());
      one.putAll(entry.getValue().perSecond(seconds));
      indices.add(one);
    }
    report.put("indices", indices);
  }

  /** What every shard did between two looks. */
  static Map<ShardId, Work> done(Look from, Look to) {
    Map<ShardId, Work> done = new LinkedHashMap<>();
    to.work.forEach(
        (shard, work) -> done.put(shard, work.since(from.work.getOrDefault(shard, Work.NONE))));
    return done;
  }

  private <K> List<Map.Entry<K, Work>> busiest(Map<K, Work> work) {
    return work.entrySet().stream()
        .filter(entry -> entry.getValue().any())
        .sorted(
            Comparator.<Map.Entry<K, Work>>comparingLong(entry -> entry.getValue().millis())
                .thenComparingLong(entry -> entry.getValue().indexed() + entry.getValue().queries())
                .reversed())
        .limit(most.getAsInt())
        .toList();
  }

  private void describe(ShardId id, Map<String, Object> one) {
    IndexShard shard = shards().get(id);
    if (shard != null) {
      one.put("primary", shard.routingEntry().primary());
      try {
        one.put("size_in_bytes", shard.storeStats().getSizeInBytes());
      } catch (RuntimeException e) {
        // it closes: the next answer does without it
      }
    }
  }

  private Look look() {
    Map<ShardId, Work> work = new LinkedHashMap<>();
    shards()
        .forEach((id, shard) -> {
          try {
            var indexing = shard.indexingStats().getTotal();
            var search = shard.searchStats().getTotal();
            work.put(
                id,
                new Work(
                    indexing.getIndexCount(),
                    indexing.getIndexTime().millis(),
                    search.getQueryCount(),
                    search.getQueryTimeInMillis() + search.getFetchTimeInMillis()));
          } catch (RuntimeException e) {
            // it closes
          }
        });
    return new Look(nanos.getAsLong(), work);
  }
}
