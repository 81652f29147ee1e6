package io.millrace.cluster.balance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.RoutingNodes;
import org.opensearch.cluster.routing.ShardRouting;

/**
 * Every node's load, and what a shard more costs a node.
 *
 * <p>A node's cost is the weighted sum of the squares of what it has of each resource, as a share
 * of an average node, plus its crowding. Squares make the fullest node the dearest, and the cost of
 * one shard follows from the sums of one node: no other node has to be looked at.
 */
final class ClusterLoad {
  /** Writing first: it cannot be queued for a day, and its hot spot refuses bulks at once. */
  static final double WRITE_WEIGHT = 2;

  static final double BYTES_WEIGHT = 0.5;
  static final double SHARDS_WEIGHT = 0.5;

  /** More than any shard's share of the other three, so that copies are spread first. */
  static final double CROWDING_WEIGHT = 4;

  /** Below these an average node counts as if it had them: small differences stay small. */
  private static final double LEAST_BYTES = 1L << 30;

  private static final double LEAST_SHARDS = 10;

  private final Map<String, NodeLoad> nodes = new LinkedHashMap<>();
  private final ShardLoads loads;
  private final double leastWrite;
  private double write;
  private double bytes;
  private double shards;

  ClusterLoad(RoutingNodes routing, ShardLoads loads, double leastWrite) {
    this.loads = loads;
    this.leastWrite = leastWrite;
    for (RoutingNode node : routing) {
      nodes.put(node.nodeId(), load(node));
    }
    for (ShardRouting shard : routing.unassigned()) {
      expect(loads.of(shard));
    }
  }

  private NodeLoad load(RoutingNode node) {
    NodeLoad load = new NodeLoad(node);
    for (ShardRouting shard : node) {
      if (shard.relocating()) {
        continue; // it counts where it goes
      }
      CopyLoad known = loads.of(shard);
      if (known != null && known.index().local()) {
        load.add(known);
        expect(known);
        if (shard.started()) {
          load.movable.add(known);
        }
      }
    }
    return load;
  }

  /** A shard that is somewhere or will be: it belongs to the average. */
  private void expect(@Nullable CopyLoad shard) {
    if (shard != null) {
      write += shard.write();
      bytes += shard.bytes();
      shards++;
    }
  }

  List<NodeLoad> nodes() {
    return new ArrayList<>(nodes.values());
  }

  @Nullable NodeLoad node(String id) {
    return nodes.get(id);
  }

  /** What each shard writes and holds. */
  ShardLoads loads() {
    return loads;
  }

  double averageWrite() {
    return write / nodes.size();
  }

  double averageBytes() {
    return bytes / nodes.size();
  }

  double averageShards() {
    return shards / nodes.size();
  }

  private double writeUnit() {
    return Math.max(leastWrite, averageWrite());
  }

  private double bytesUnit() {
    return Math.max(LEAST_BYTES, averageBytes());
  }

  private double shardsUnit() {
    return Math.max(LEAST_SHARDS, averageShards());
  }

  /** By how much the node's cost grows when it takes the shard. */
  double added(CopyLoad shard, NodeLoad node) {
    int copies = node.copies(shard.index());
    return added(WRITE_WEIGHT, node.write(), shard.write(), writeUnit())
        + added(BYTES_WEIGHT, node.bytes(), shard.bytes(), bytesUnit())
        + added(SHARDS_WEIGHT, node.shards(), 1, shardsUnit())
        + CROWDING_WEIGHT
            * (NodeLoad.crowding(shard.index(), copies + 1)
                - NodeLoad.crowding(shard.index(), copies));
  }

  private static double added(double weight, double has, double more, double unit) {
    return weight * more * (2 * has + more) / (unit * unit);
  }

  /** What a move saves, by resource. */
  record Gain(double write, double bytes, double shards, double crowding) {
    double total() {
      return write + bytes + shards + crowding;
    }

    /** The resource that the move is made for. */
    String reason() {
      double most = Math.max(Math.max(write, bytes), Math.max(shards, crowding));
      if (most == crowding) {
        return "spread";
      }
      return most == write ? "write_load" : most == bytes ? "bytes" : "shards";
    }
  }

  /** What is saved when the shard moves. */
  Gain gain(CopyLoad shard, NodeLoad from, NodeLoad to) {
    ShardLoads.OfIndex index = shard.index();
    int left = from.copies(index);
    int joined = to.copies(index);
    return new Gain(
        saved(WRITE_WEIGHT, from.write(), to.write(), shard.write(), writeUnit()),
        saved(BYTES_WEIGHT, from.bytes(), to.bytes(), shard.bytes(), bytesUnit()),
        saved(SHARDS_WEIGHT, from.shards(), to.shards(), 1, shardsUnit()),
        CROWDING_WEIGHT
            * (NodeLoad.crowding(index, left)
                - NodeLoad.crowding(index, left - 1)
                + NodeLoad.crowding(index, joined)
                - NodeLoad.crowding(index, joined + 1)));
  }

  private static double saved(double weight, double from, double to, double moved, double unit) {
    return 2 * weight * moved * (from - to - moved) / (unit * unit);
  }

  /** The least that a move of the shard must save; see {@link BalanceLimits#tolerance}. */
  double least(CopyLoad shard, double tolerance) {
    double share =
        WRITE_WEIGHT * shard.write() / writeUnit()
            + BYTES_WEIGHT * shard.bytes() / bytesUnit()
            + SHARDS_WEIGHT / shardsUnit();
    return 2 * tolerance * share;
  }

  /** Whether any shard may be worth moving from one node to the other. */
  boolean mayGain(NodeLoad from, NodeLoad to, double tolerance) {
    return from.crowding() > 0
        || from.write() - to.write() > tolerance * writeUnit()
        || from.bytes() - to.bytes() > tolerance * bytesUnit()
        || from.shards() - to.shards() > tolerance * shardsUnit();
  }

  /** How hot a node is: its cost. */
  double cost(NodeLoad node) {
    return square(WRITE_WEIGHT, node.write() / writeUnit())
        + square(BYTES_WEIGHT, node.bytes() / bytesUnit())
        + square(SHARDS_WEIGHT, node.shards() / shardsUnit())
        + CROWDING_WEIGHT * node.crowding();
  }

  private static double square(double weight, double share) {
    return weight * share * share;
  }

  /** How far the node with most writing is above the average: 1 is even. */
  double writeSkew() {
    double most = nodes.values().stream().mapToDouble(NodeLoad::write).max().orElse(0);
    return most / writeUnit();
  }
}
