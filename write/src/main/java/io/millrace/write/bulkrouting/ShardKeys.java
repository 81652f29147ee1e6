package io.millrace.write.bulkrouting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.OperationRouting;

/**
 * For each shard of one index a short routing that leads to it, handed out in turn.
 *
 * <p>In turn instead of at random: after as many bulks as there are shards each shard has had one.
 * Every node starts at a random shard, so that nodes do not march together. A shard whose primary
 * is not active is passed over while others are: a bulk sent there would wait for it, all of it.
 */
final class ShardKeys {
  /** Tries per shard until each has a key; the expected number is ln(shards) + 1. */
  private static final int TRIES_PER_SHARD = 1_000;

  private final IndexMetadata index;
  private final AtomicInteger cursor = new AtomicInteger(ThreadLocalRandom.current().nextInt());
  private volatile @Nullable String @Nullable [] keys;

  ShardKeys(IndexMetadata index) {
    this.index = index;
  }

  /** Whether these keys are good for a newer metadata object of the index. */
  boolean isFor(IndexMetadata other) {
    return index.getIndexUUID().equals(other.getIndexUUID())
        && index.getSettingsVersion() == other.getSettingsVersion();
  }

  /** The routing for the next bulk; null only if no routing leads to any shard. */
  @Nullable String next(@Nullable IndexRoutingTable routing) {
    return next(shard -> routing == null || active(routing, shard));
  }

  /** As above; where no shard is active, any will do: stock then waits and answers as it does. */
  @Nullable String next(IntPredicate active) {
    @Nullable String[] all = keys();
    int turn = Math.floorMod(cursor.getAndIncrement(), all.length);
    String first = all[turn];
    if (first != null && active.test(turn)) {
      return first;
    }
    int start = ThreadLocalRandom.current().nextInt(all.length);
    for (int i = 0; i < all.length; i++) {
      int shard = (start + i) % all.length;
      String key = all[shard];
      if (key != null && active.test(shard)) {
        return key;
      }
      first = first == null ? key : first;
    }
    return first;
  }

  /** The keys of all shards, first that of the shard on which OpenSearch looks for an id. */
  List<String> all(String id) {
    @Nullable String[] all = keys();
    List<String> ordered = new ArrayList<>(all.length);
    int own = OperationRouting.generateShardId(index, id, null);
    for (int i = 0; i < all.length; i++) {
      String key = all[(own + i) % all.length];
      if (key != null) {
        ordered.add(key);
      }
    }
    return ordered;
  }

  private static boolean active(IndexRoutingTable routing, int shard) {
    IndexShardRoutingTable copies = routing.shard(shard);
    return copies != null && copies.primaryShard() != null && copies.primaryShard().active();
  }

  /**
   * Computed at the first bulk, not while a cluster state is applied; two threads may both do it.
   */
  private @Nullable String[] keys() {
    @Nullable String[] known = keys;
    if (known == null) {
      known = compute(index);
      keys = known;
    }
    return known;
  }

  static @Nullable String[] compute(IndexMetadata index) {
    @Nullable String[] keys = new String[index.getNumberOfShards()];
    int missing = keys.length;
    for (int i = 0; missing > 0 && i < keys.length * TRIES_PER_SHARD; i++) {
      String key = Integer.toString(i, Character.MAX_RADIX);
      int shard = OperationRouting.generateShardId(index, null, key);
      if (keys[shard] == null) {
        keys[shard] = key;
        missing--;
      }
    }
    assert missing == 0 || Arrays.stream(keys).anyMatch(Objects::nonNull) : index.getIndex();
    return keys;
  }
}
