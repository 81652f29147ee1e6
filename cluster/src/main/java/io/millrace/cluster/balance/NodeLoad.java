package io.millrace.cluster.balance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.cluster.routing.RoutingNode;

/** What the shards of one node write and hold, kept as sums while shards come and go. */
final class NodeLoad {
  final RoutingNode node;

  /** Started copies: what may leave. */
  final List<CopyLoad> movable = new ArrayList<>();

  private final Map<ShardLoads.OfIndex, Integer> copies = new HashMap<>();
  private double write;
  private double bytes;
  private int shards;
  private double crowding;

  NodeLoad(RoutingNode node) {
    this.node = node;
  }

  /** A copy is here, or on its way here. */
  void add(CopyLoad shard) {
    int before = copies(shard.index());
    copies.put(shard.index(), before + 1);
    crowding += crowding(shard.index(), before + 1) - crowding(shard.index(), before);
    write += shard.write();
    bytes += shard.bytes();
    shards++;
  }

  /** A copy goes. */
  void remove(CopyLoad shard) {
    int before = copies(shard.index());
    copies.put(shard.index(), before - 1);
    crowding += crowding(shard.index(), before - 1) - crowding(shard.index(), before);
    write -= shard.write();
    bytes -= shard.bytes();
    shards--;
    movable.remove(shard);
  }

  /** How much worse it is to have so many copies of an index than its fair part of them. */
  static double crowding(ShardLoads.OfIndex index, int copies) {
    double over = Math.max(0, copies - index.fair);
    return over * over;
  }

  /** Copies of the index on this node. */
  int copies(ShardLoads.OfIndex index) {
    return copies.getOrDefault(index, 0);
  }

  /** Busy indexing threads. */
  double write() {
    return write;
  }

  double bytes() {
    return bytes;
  }

  int shards() {
    return shards;
  }

  /** The sum of {@link #crowding(ShardLoads.OfIndex, int)} over all indices. */
  double crowding() {
    return crowding;
  }
}
