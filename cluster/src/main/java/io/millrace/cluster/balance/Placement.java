package io.millrace.cluster.balance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.routing.RecoverySource;
import org.opensearch.cluster.routing.RoutingNodes;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.UnassignedInfo.AllocationStatus;
import org.opensearch.cluster.routing.allocation.AllocateUnassignedDecision;
import org.opensearch.cluster.routing.allocation.NodeAllocationResult;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.decider.Decision;
import org.opensearch.cluster.routing.allocation.decider.DiskThresholdDecider;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;

/**
 * Where unassigned shards go: to the node that they cost least, of those that every decider allows.
 *
 * <p>What a throttled, refused or timed-out shard is marked with follows
 * LocalShardsBalancer#allocateUnassigned, so that whoever reads the routing table sees no
 * difference.
 */
final class Placement {
  private final RoutingAllocation allocation;
  private final ClusterLoad load;
  private final boolean throttleIsNoInRestore;

  /**
   * @param throttleIsNoInRestore {@code cluster.routing.allocation.remote_primary.ignore_throttle}
   */
  Placement(RoutingAllocation allocation, ClusterLoad load, boolean throttleIsNoInRestore) {
    this.allocation = allocation;
    this.load = load;
    this.throttleIsNoInRestore = throttleIsNoInRestore;
  }

  /** Places what is unassigned and local; anything else stays unassigned for stock. */
  void placeAll(BooleanSupplier timedOut) {
    RoutingNodes.UnassignedShards unassigned = allocation.routingNodes().unassigned();
    List<ShardRouting> primaries = new ArrayList<>();
    List<ShardRouting> replicas = new ArrayList<>();
    for (ShardRouting shard : unassigned.drain()) {
      ShardLoads.OfIndex index = load.loads().index(shard.index());
      if (index == null || !index.local()) {
        unassigned.add(shard);
      } else {
        (shard.primary() ? primaries : replicas).add(shard);
      }
    }
    Map<Copy, AllocationStatus> refused = new HashMap<>();
    for (ShardRouting shard : inOrder(primaries)) {
      place(shard, refused, timedOut);
    }
    for (ShardRouting shard : inOrder(replicas)) {
      place(shard, refused, timedOut);
    }
  }

  /** Copies that a decider cannot tell apart. */
  private record Copy(ShardId id, boolean primary, boolean search) {
    static Copy of(ShardRouting shard) {
      return new Copy(shard.shardId(), shard.primary(), shard.isSearchOnly());
    }
  }

  /**
   * AllocationService has sorted the indices by priority and left the shards of an index together,
   * in no order; here they get stock's.
   */
  private static List<ShardRouting> inOrder(List<ShardRouting> shards) {
    Map<Index, Integer> firsts = new HashMap<>();
    for (ShardRouting shard : shards) {
      firsts.putIfAbsent(shard.index(), firsts.size());
    }
    shards.sort(
        Comparator.comparing((ShardRouting shard) -> firsts.get(shard.index()))
            .thenComparing(ShardRouting::isSearchOnly)
            .thenComparing(ShardRouting::id));
    return shards;
  }

  private void place(
      ShardRouting shard, Map<Copy, AllocationStatus> refused, BooleanSupplier timedOut) {
    RoutingNodes.UnassignedShards unassigned = allocation.routingNodes().unassigned();
    Copy copy = Copy.of(shard);
    AllocationStatus status =
        timedOut.getAsBoolean() ? AllocationStatus.NO_ATTEMPT : refused.get(copy);
    if (status != null) {
      unassigned.ignoreShard(shard, status, allocation.changes());
      return;
    }
    Choice choice = choose(shard, null);
    CopyLoad cost = load.loads().of(shard);
    if (choice.node != null && cost != null) {
      choice.node.add(cost); // also while it is throttled: its place is taken
    }
    if (choice.node != null && choice.type == Decision.Type.YES) {
      allocation
          .routingNodes()
          .initializeShard(
              shard, choice.node.node.nodeId(), null, expectedSize(shard), allocation.changes());
      return;
    }
    AllocationStatus why = AllocationStatus.fromDecision(choice.type);
    refused.put(copy, why);
    unassigned.ignoreShard(shard, why, allocation.changes());
  }

  private long expectedSize(ShardRouting shard) {
    return DiskThresholdDecider.getExpectedShardSize(
        shard,
        ShardRouting.UNAVAILABLE_EXPECTED_SHARD_SIZE,
        allocation.clusterInfo(),
        allocation.snapshotShardSizeInfo(),
        allocation.metadata(),
        allocation.routingTable());
  }

  /** A node, or none, and what the deciders say. */
  private record Choice(@Nullable NodeLoad node, Decision.Type type) {}

  /** What the deciders say of each node, with its cost; kept only to be explained. */
  private record Candidate(NodeLoad node, Decision decision, double cost) {}

  private Choice choose(ShardRouting shard, @Nullable List<Candidate> explained) {
    Choice best = new Choice(null, Decision.Type.NO);
    CopyLoad known = load.loads().of(shard);
    boolean allowed =
        known != null
            && allocation.deciders().canAllocate(shard, allocation).type() != Decision.Type.NO;
    if (known == null || (!allowed && explained == null)) {
      return best;
    }
    double least = Double.POSITIVE_INFINITY;
    for (NodeLoad node : load.nodes()) {
      if (explained == null && node.node.getByShardId(shard.shardId()) != null) {
        continue;
      }
      double cost = load.added(known, node);
      if (explained == null && cost >= least) {
        continue;
      }
      Decision decision = allocation.deciders().canAllocate(shard, node.node, allocation);
      if (explained != null) {
        explained.add(new Candidate(node, decision, cost));
      }
      if (allowed && cost < least && usable(shard, decision.type())) {
        least = cost;
        best = new Choice(node, decision.type());
      }
    }
    return best;
  }

  private boolean usable(ShardRouting shard, Decision.Type type) {
    boolean restored =
        shard.primary() && shard.recoverySource().getType() == RecoverySource.Type.REMOTE_STORE;
    return type == Decision.Type.YES
        || (type == Decision.Type.THROTTLE && !(restored && throttleIsNoInRestore));
  }

  /** The same choice in the words of {@code _cluster/allocation/explain}. */
  AllocateUnassignedDecision explain(ShardRouting shard) {
    List<Candidate> candidates = new ArrayList<>();
    Choice choice = choose(shard, candidates);
    candidates.sort(Comparator.comparingDouble(Candidate::cost));
    List<NodeAllocationResult> nodes = new ArrayList<>();
    for (Candidate candidate : candidates) {
      nodes.add(
          new NodeAllocationResult(
              candidate.node.node.node(), candidate.decision, nodes.size() + 1));
    }
    return choice.node == null
        ? AllocateUnassignedDecision.no(AllocationStatus.DECIDERS_NO, nodes)
        : AllocateUnassignedDecision.fromDecision(
            choice.type == Decision.Type.YES ? Decision.YES : Decision.THROTTLE,
            choice.node.node.node(),
            nodes);
  }
}
