package io.millrace.cluster.balance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.decider.Decision;

/**
 * Finds the moves that save most, one after the other: hill climbing with a bound on what is looked
 * at.
 *
 * <p>Nodes are taken in groups, those first that have most of some resource. A group that has no
 * move to offer makes way for the next one, so that a tier that cannot give anything away does not
 * hide the others. Pairs of nodes that are even already are passed over, which makes a round on a
 * balanced cluster cost the number of pairs and not the number of shards.
 */
final class Rebalance {
  /** Nodes that are looked at together. */
  private static final int GROUP = 8;

  /** The best moves of a group that the deciders are asked about. */
  private static final int TRIED = 64;

  /** How often a group is searched again after deciders refused all its best moves. */
  private static final int SEARCHES = 4;

  /** Shard and target pairs that a round looks at, some 20 ns each. */
  private static final int LOOKS = 20_000_000;

  private final RoutingAllocation allocation;
  private final ClusterLoad load;
  private final double tolerance;
  private final Set<Pair> refused = new HashSet<>();
  private final Map<Place, Boolean> allowed = new HashMap<>();
  private int looks;

  /** A shard and a node that a decider keeps it from. */
  private record Pair(ShardRouting shard, String node) {}

  /** An index and a node. */
  private record Place(ShardLoads.OfIndex index, String node) {}

  /** A move that would save something. */
  record Move(CopyLoad shard, NodeLoad from, NodeLoad to, ClusterLoad.Gain gain, double saves) {}

  Rebalance(RoutingAllocation allocation, ClusterLoad load, double tolerance) {
    this.allocation = allocation;
    this.load = load;
    this.tolerance = tolerance;
  }

  /** What is done with a move. */
  interface Mover {
    /** Makes the move, or only notes it; the load is kept up by the caller. */
    void move(Move move);
  }

  /**
   * Makes moves until none is worth it, the deciders want no more, or the most are made.
   *
   * @return the number of moves
   */
  int run(int most, BooleanSupplier timedOut, Mover mover) {
    int made = 0;
    while (made < most
        && !timedOut.getAsBoolean()
        && allocation.deciders().canRebalance(allocation).type() == Decision.Type.YES) {
      Move move = best(timedOut);
      if (move == null) {
        break;
      }
      mover.move(move);
      move.from.remove(move.shard);
      move.to.add(move.shard);
      made++;
    }
    return made;
  }

  private @Nullable Move best(BooleanSupplier timedOut) {
    List<NodeLoad> sources = sources();
    for (int at = 0; at < sources.size(); at += GROUP) {
      List<NodeLoad> group = sources.subList(at, Math.min(sources.size(), at + GROUP));
      for (int search = 0; search < SEARCHES; search++) {
        if (looks > LOOKS || timedOut.getAsBoolean()) {
          return null;
        }
        List<Move> moves = search(group);
        for (Move move : moves) {
          if (may(move)) {
            return move;
          }
          refused.add(new Pair(move.shard.shard(), move.to.node.nodeId()));
        }
        if (moves.size() < TRIED) {
          break; // all of them were asked about
        }
      }
    }
    return null;
  }

  /** Every node, the one with most of each resource in turn. */
  private List<NodeLoad> sources() {
    List<List<NodeLoad>> orders = new ArrayList<>();
    orders.add(sorted(NodeLoad::crowding));
    orders.add(sorted(NodeLoad::write));
    orders.add(sorted(NodeLoad::bytes));
    orders.add(sorted(NodeLoad::shards));
    Set<NodeLoad> sources = new LinkedHashSet<>();
    for (int i = 0; i < orders.get(0).size(); i++) {
      for (List<NodeLoad> order : orders) {
        sources.add(order.get(i));
      }
    }
    return new ArrayList<>(sources);
  }

  private List<NodeLoad> sorted(ToDoubleFunction<NodeLoad> of) {
    List<NodeLoad> nodes = load.nodes();
    nodes.sort(Comparator.comparingDouble(of).reversed());
    return nodes;
  }

  /** The best moves away from these nodes, the best one first. */
  private List<Move> search(List<NodeLoad> group) {
    PriorityQueue<Move> best =
        new PriorityQueue<>(TRIED + 1, Comparator.comparingDouble(Move::saves));
    for (NodeLoad from : group) {
      for (NodeLoad to : load.nodes()) {
        if (to != from && load.mayGain(from, to, tolerance)) {
          for (CopyLoad shard : from.movable) {
            consider(shard, from, to, best);
          }
        }
      }
    }
    List<Move> moves = new ArrayList<>(best);
    moves.sort(Comparator.comparingDouble(Move::saves).reversed());
    return moves;
  }

  private void consider(CopyLoad shard, NodeLoad from, NodeLoad to, PriorityQueue<Move> best) {
    looks++;
    ClusterLoad.Gain gain = load.gain(shard, from, to);
    double saves = gain.total();
    boolean full = best.size() >= TRIED;
    if (saves <= load.least(shard, tolerance) || (full && saves <= best.element().saves)) {
      return;
    }
    if (!indexMay(shard.index(), to)
        || refused.contains(new Pair(shard.shard(), to.node.nodeId()))) {
      return;
    }
    if (full) {
      best.remove();
    }
    best.add(new Move(shard, from, to, gain, saves));
  }

  /** What holds for every shard of an index is asked once: filters, tiers. */
  private boolean indexMay(ShardLoads.OfIndex index, NodeLoad to) {
    return allowed.computeIfAbsent(
        new Place(index, to.node.nodeId()),
        any ->
            allocation.deciders().canAllocate(index.index, to.node, allocation).type()
                != Decision.Type.NO);
  }

  private boolean may(Move move) {
    ShardRouting shard = move.shard.shard();
    return move.to.node.getByShardId(shard.shardId()) == null
        && allocation.deciders().canRebalance(shard, allocation).type() == Decision.Type.YES
        && allocation.deciders().canAllocate(shard, move.to.node, allocation).type()
            == Decision.Type.YES;
  }
}
