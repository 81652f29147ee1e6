package io.millrace.cluster.balance;

import io.millrace.kernel.StartedShards;
import io.millrace.kernel.report.NodeReportSource;
import io.millrace.kernel.settings.Switch;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.shard.IndexShard;

/**
 * What each shard of this node writes: documents, and the share of a thread that they keep busy.
 *
 * <p>Time as well as documents: a document with many fields costs more than one with few, and a
 * replica costs less than its primary under segment replication; the shard's own clock ({@code
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
  private final Map<ShardId, CopyRate.Watch> rates = new HashMap<>();

  WriteRates(Switch enabled, BalanceLimits limits, LongSupplier nanoTime) {
    this.enabled = enabled;
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /** The name of a shard in the report. */
  static String key(String indexUuid, int shard) {
    return indexUuid + "/" + shard;
  }

  /** The index that a {@link #key} begins with. */
  static String index(String key) {
    return key.substring(0, Math.max(0, key.lastIndexOf('/')));
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
    long operations;
    long millis;
    try {
      var total = shard.indexingStats().getTotal();
      operations = total.getIndexCount() + total.getDeleteCount();
      millis = total.getIndexTime().millis() + total.getDeleteTime().millis();
    } catch (RuntimeException e) {
      return; // it closes
    }
    CopyRate rate = watch(id, operations, millis);
    if (rate != null) {
      (shard.routingEntry().primary() ? primaries : replicas)
          .put(key(id.getIndex().getUUID(), id.id()), rate.report());
    }
  }

  /** The rate; null for a shard that has written nothing or was not watched for long. */
  @Nullable CopyRate watch(ShardId id, long operations, long millis) {
    long now = nanoTime.getAsLong();
    CopyRate.Watch known = rates.get(id);
    if (known == null) {
      rates.put(id, new CopyRate.Watch(now, operations, millis));
      return null;
    }
    return known.look(now, operations, millis, limits);
  }
}
