package io.millrace.cluster.balance;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;

/**
 * What the cluster manager knows of the shards' writing. A shard that is not reported any more, for
 * example because its copy has just moved and is not known there yet, fades instead of vanishing.
 */
final class LoadBook {
  private static final double GONE = 1e-6;

  private static final @Nullable Rates[] NONE = new Rates[0];

  private volatile Map<String, @Nullable Rates[]> byIndex = Map.of();

  /**
   * Busy indexing threads of the copies of one shard.
   *
   * @param replica of one replica, the mean where there are several
   */
  record Rates(double primary, double replica) {
    private Rates faded(double kept) {
      return new Rates(primary * kept, replica * kept);
    }
  }

  /** The rates that one poll brought, by {@link WriteRates#key}. */
  static final class Poll {
    private final Map<String, Double> primaries = new HashMap<>();
    private final Map<String, double[]> replicas = new HashMap<>();

    /** Adds what a node reports; anything that is no rate is left out. */
    void add(Map<String, Object> report) {
      rates(report.get(WriteRates.PRIMARIES)).forEach(primaries::put);
      rates(report.get(WriteRates.REPLICAS))
          .forEach((shard, rate) -> {
            double[] sum = replicas.computeIfAbsent(shard, any -> new double[2]);
            sum[0] += rate;
            sum[1]++;
          });
    }

    private static Map<String, Double> rates(@Nullable Object reported) {
      Map<String, Double> rates = new HashMap<>();
      if (reported instanceof Map<?, ?> map) {
        map.forEach((shard, rate) -> {
          if (shard instanceof String name
              && rate instanceof Number number
              && number.doubleValue() >= 0
              && number.doubleValue() < Double.POSITIVE_INFINITY) {
            rates.put(name, number.doubleValue());
          }
        });
      }
      return rates;
    }
  }

  /** The rates of an index, by shard number; an entry is null where nothing is known. */
  @Nullable Rates[] of(IndexMetadata index) {
    return byIndex.getOrDefault(index.getIndexUUID(), NONE);
  }

  /** Whether any shard is known to write. */
  boolean isEmpty() {
    return byIndex.isEmpty();
  }

  /** Indices with a known rate. */
  int size() {
    return byIndex.size();
  }

  /** Forgets everything. */
  void clear() {
    byIndex = Map.of();
  }

  /**
   * Takes a poll in.
   *
   * @param kept what stays of a rate that was not reported: 0 to 1
   */
  void take(Poll poll, Metadata metadata, double kept) {
    Map<String, @Nullable Rates[]> before = byIndex;
    Map<String, @Nullable Rates[]> next = new HashMap<>();
    for (IndexMetadata index : metadata) {
      @Nullable Rates[] rates =
          rates(index, before.getOrDefault(index.getIndexUUID(), NONE), poll, kept);
      if (rates.length > 0) {
        next.put(index.getIndexUUID(), rates);
      }
    }
    byIndex = next;
  }

  private static @Nullable Rates[] rates(
      IndexMetadata index, @Nullable Rates[] old, Poll poll, double kept) {
    @Nullable Rates[] rates = new Rates[index.getNumberOfShards()];
    boolean any = false;
    for (int shard = 0; shard < rates.length; shard++) {
      String key = WriteRates.key(index.getIndexUUID(), shard);
      Rates last = shard < old.length ? old[shard] : null;
      rates[shard] = next(last == null ? null : last.faded(kept), poll, key);
      any |= rates[shard] != null;
    }
    return any ? rates : NONE;
  }

  private static @Nullable Rates next(@Nullable Rates faded, Poll poll, String key) {
    Double primary = poll.primaries.get(key);
    double[] replicas = poll.replicas.get(key);
    if (primary == null && replicas == null) {
      return faded != null && faded.primary + faded.replica > GONE ? faded : null;
    }
    double kept = faded == null ? 0 : faded.primary;
    double writes = primary == null ? kept : primary;
    double replica = faded == null ? writes * ShardLoads.REPLICA_SHARE : faded.replica;
    return new Rates(writes, replicas == null ? replica : replicas[0] / replicas[1]);
  }
}
