package io.millrace.cluster.balance;

import io.millrace.kernel.StartedShards;
import io.millrace.kernel.report.NodeReportSource;
import io.millrace.kernel.settings.Switch;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.shard.IndexShard;

/**
 * What each shard of this node writes: the share of a thread that its indexing keeps busy.
 *
 * <p>Time, not documents: a document with many fields costs more than one with few, and a replica
 * costs less than its primary under segment replication; the shard's own clock ({@code
 * InternalIndexingStats}) knows both. Nothing runs here by itself: a look is taken when the cluster
 * manager asks.
 */
final class WriteRates extends StartedShards implements NodeReportSource {
  /** The subject under which the cluster manager asks for the report. */
  static final String SUBJECT = "balance-rates";

  static final String PRIMARIES = "primaries";
  static final String REPLICAS = "replicas";

  private final Switch enabled;
  private final BalanceLimits limits;
  private final LongSupplier nanoTime;
  private final Map<ShardId, DecayedRate> rates = new HashMap<>();

  WriteRates(Switch enabled, BalanceLimits limits, LongSupplier nanoTime) {
    this.enabled = enabled;
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /** The name of a shard in the report. */
  static String key(String indexUuid, int shard) {
    return indexUuid + "/" + shard;
  }

  @Override
  public synchronized Map<String, Object> report() {
    Map<String, Object> primaries = new HashMap<>();
    Map<String, Object> replicas = new HashMap<>();
    if (!enabled.on()) {
      rates.clear();
    } else {
      rates.keySet().retainAll(shards().keySet());
      shards().forEach((id, shard) -> look(id, shard, primaries, replicas));
    }
    return Map.of(PRIMARIES, primaries, REPLICAS, replicas);
  }

  private void look(
      ShardId id, IndexShard shard, Map<String, Object> primaries, Map<String, Object> replicas) {
    long millis;
    try {
      var total = shard.indexingStats().getTotal();
      millis = total.getIndexTime().millis() + total.getDeleteTime().millis();
    } catch (RuntimeException e) {
      return; // it closes
    }
    double rate = watch(id, millis);
    if (rate >= 0) {
      (shard.routingEntry().primary() ? primaries : replicas)
          .put(key(id.getIndex().getUUID(), id.id()), rate);
    }
  }

  /** Busy threads; negative for a shard that has written nothing or was not watched for long. */
  double watch(ShardId id, long millis) {
    long now = nanoTime.getAsLong();
    DecayedRate rate = rates.get(id);
    if (rate == null) {
      rates.put(id, new DecayedRate(now, millis));
      return -1;
    }
    rate.look(now, millis, limits.window().nanos());
    // 0.9: the clock of the one that asks is another one
    boolean known = rate.seenNanos() >= 2 * 0.9 * limits.interval().nanos();
    return known && millis > 0 ? rate.perSecond() / 1000 : -1;
  }
}
