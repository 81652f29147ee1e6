package io.millrace.cluster.balance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
   * @param now what of it was still written at the last look: 0 when writing has stopped
   */
  record Rates(double primary, double replica, double now) {
    private Rates faded(double kept) {
      return new Rates(primary * kept, replica * kept, now);
    }
  }

  /** The rates that one poll brought, by {@link WriteRates#key}. */
  static final class Poll {
    private final Map<String, List<CopyRate>> primaries = new HashMap<>();
    private final Map<String, List<CopyRate>> replicas = new HashMap<>();
    private final WriteCosts ofPrimaries;
    private final WriteCosts ofReplicas;

    /**
     * @param windowSeconds for how long the past counts in the rates
     */
    Poll(double windowSeconds) {
      ofPrimaries = new WriteCosts(windowSeconds);
      ofReplicas = new WriteCosts(windowSeconds);
    }

    /** Adds what a node reports; anything that is no rate is left out. */
    void add(Map<String, Object> report) {
      add(report.get(WriteRates.PRIMARIES), primaries, ofPrimaries);
      add(report.get(WriteRates.REPLICAS), replicas, ofReplicas);
    }

    private static void add(
        @Nullable Object reported, Map<String, List<CopyRate>> copies, WriteCosts costs) {
      CopyRate.read(reported)
          .forEach((shard, rate) -> {
            costs.add(shard, rate);
            copies.computeIfAbsent(shard, any -> new ArrayList<>()).add(rate);
          });
    }

    private @Nullable Rates rates(String shard, @Nullable Rates faded) {
      List<CopyRate> primary = primaries.getOrDefault(shard, List.of());
      List<CopyRate> others = replicas.getOrDefault(shard, List.of());
      if (primary.isEmpty() && others.isEmpty()) {
        return faded != null && faded.primary + faded.replica > GONE ? faded : null;
      }
      double writes = mean(shard, primary, ofPrimaries, faded == null ? 0 : faded.primary);
      double otherwise = faded == null ? writes * ShardLoads.REPLICA_SHARE : faded.replica;
      double now =
          Stream.concat(primary.stream(), others.stream())
              .mapToDouble(CopyRate::now)
              .max()
              .orElse(1);
      return new Rates(writes, mean(shard, others, ofReplicas, otherwise), now);
    }

    private static double mean(
        String shard, List<CopyRate> copies, WriteCosts costs, double otherwise) {
      return copies.stream()
          .mapToDouble(copy -> costs.busy(shard, copy))
          .average()
          .orElse(otherwise);
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
      rates[shard] = poll.rates(key, last == null ? null : last.faded(kept));
      any |= rates[shard] != null;
    }
    return any ? rates : NONE;
  }
}
