package io.millrace.cluster.balance;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterInfo;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.RoutingPool;
import org.opensearch.cluster.routing.RoutingTable;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.core.index.Index;

/**
 * What each shard writes and holds, measured or estimated, for one look at the cluster.
 *
 * <p>An index that has just been created is expected to take over what the generation before it
 * writes, for {@link #EXPECTED_MILLIS} or until its own rates are known; its predecessor is
 * expected to stop, and counts by what it writes now as soon as its successor writes, for the same
 * time. Without that, both generations would count, and a node that has none of the old one would
 * get most of the new indices. The newest generation is also expected to grow as large as the one
 * before.
 */
final class ShardLoads {
  /** For how long a new index without rates counts as the writer of its series. */
  static final long EXPECTED_MILLIS = 10 * 60_000L;

  /** Of its primary's writing, where a replica's own is not known. */
  static final double REPLICA_SHARE = 0.6;

  private final Metadata metadata;
  private final RoutingTable routing;
  private final ClusterInfo sizes;
  private final LoadBook book;
  private final long nowMillis;
  private final int nodes;
  private final Generations generations;
  private final Map<Index, OfIndex> indices = new HashMap<>();

  ShardLoads(
      Metadata metadata,
      RoutingTable routing,
      ClusterInfo sizes,
      LoadBook book,
      long nowMillis,
      int nodes) {
    this.metadata = metadata;
    this.routing = routing;
    this.sizes = sizes;
    this.book = book;
    this.nowMillis = nowMillis;
    this.nodes = Math.max(1, nodes);
    this.generations = new Generations(metadata);
  }

  /** What the shards of an index have in common. */
  final class OfIndex {
    final IndexMetadata index;

    /** Copies that a node has of it at most when they are spread evenly. */
    final int fair;

    private final LoadBook.@Nullable Rates[] rates;
    private final double expectedPrimary;
    private final double expectedReplica;
    private final boolean superseded;
    private final boolean succeeded;
    private final double expectedBytes;

    private OfIndex(IndexMetadata index) {
      this.index = index;
      this.fair = (index.getTotalNumberOfShards() + nodes - 1) / nodes;
      this.rates = book.of(index);
      IndexMetadata before = generations.before(index);
      double shards = index.getNumberOfShards();
      IndexMetadata writer = young(index) ? before : null;
      this.expectedPrimary = writer == null ? 0 : total(writer, true) / shards;
      this.expectedReplica = writer == null ? 0 : total(writer, false) / shards;
      this.expectedBytes = before == null ? 0 : bytes(before) / shards;
      IndexMetadata after = generations.after(index);
      this.superseded = after != null && young(after);
      this.succeeded = after != null && book.of(after).length > 0;
    }

    private boolean young(IndexMetadata index) {
      return nowMillis - index.getCreationDate() < EXPECTED_MILLIS;
    }

    private double total(IndexMetadata before, boolean primaries) {
      double total = 0;
      for (LoadBook.Rates shard : book.of(before)) {
        if (shard != null) {
          total += primaries ? shard.primary() : shard.replica();
        }
      }
      return total;
    }

    /** Whether stock's balancer of local shards, which this feature stands in for, has it. */
    boolean local() {
      return RoutingPool.getIndexPool(index) == RoutingPool.LOCAL_ONLY;
    }

    private double write(ShardRouting shard) {
      if (shard.isSearchOnly() || (superseded && !succeeded)) {
        return 0; // a search replica copies segments
      }
      LoadBook.Rates known = shard.id() < rates.length ? rates[shard.id()] : null;
      if (known == null) {
        return shard.primary() ? expectedPrimary : expectedReplica;
      }
      double writes = shard.primary() ? known.primary() : known.replica();
      return superseded ? writes * known.now() : writes; // its average still tells of before
    }
  }

  /** Bytes of the primaries of an index; 0 where they are not known. */
  private double bytes(IndexMetadata index) {
    IndexRoutingTable shards = routing.index(index.getIndex());
    double bytes = 0;
    if (shards != null) {
      for (IndexShardRoutingTable shard : shards) {
        bytes += sizes.getShardSize(shard.primaryShard(), 0);
      }
    }
    return bytes;
  }

  /** What is known of an index; null when it has been deleted. */
  @Nullable OfIndex index(Index index) {
    OfIndex known = indices.get(index);
    if (known == null) {
      IndexMetadata found = metadata.index(index);
      if (found == null) {
        return null;
      }
      known = new OfIndex(found);
      indices.put(index, known);
    }
    return known;
  }

  /** The load of a copy; null for one of an index that has been deleted. */
  @Nullable CopyLoad of(ShardRouting shard) {
    OfIndex index = index(shard.index());
    if (index == null) {
      return null;
    }
    double bytes = Math.max((double) sizes.getShardSize(shard, 0), index.expectedBytes);
    return new CopyLoad(shard, index, index.write(shard), bytes);
  }
}
