package io.millrace.cluster.balance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.AllocationDecision;
import org.opensearch.cluster.routing.allocation.MoveDecision;
import org.opensearch.cluster.routing.allocation.NodeAllocationResult;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.decider.Decision;

/** What {@link Rebalance} thinks of one shard, in the words of {@code allocation/explain}. */
final class RebalanceExplanation {
  private final RoutingAllocation allocation;
  private final ClusterLoad load;
  private final double tolerance;

  RebalanceExplanation(RoutingAllocation allocation, ClusterLoad load, double tolerance) {
    this.allocation = allocation;
    this.load = load;
    this.tolerance = tolerance;
  }

  /** A node, what the deciders say, and how much more than the least a move there would save. */
  private record Target(DiscoveryNode node, Decision decision, double worth) {
    boolean better() {
      return worth > 0;
    }
  }

  /** The decision of a started shard that may stay where it is. */
  MoveDecision explain(ShardRouting shard) {
    CopyLoad known = load.loads().of(shard);
    NodeLoad from = load.node(shard.currentNodeId());
    if (known == null || from == null) {
      return MoveDecision.NOT_TAKEN;
    }
    List<Target> targets = new ArrayList<>();
    for (NodeLoad to : load.nodes()) {
      if (to != from) {
        double worth = load.gain(known, from, to).total() - load.least(known, tolerance);
        Decision decision = allocation.deciders().canAllocate(shard, to.node, allocation);
        targets.add(new Target(to.node.node(), decision, worth));
      }
    }
    targets.sort(Comparator.comparingDouble(Target::worth).reversed());
    int ranking = 1 + (int) targets.stream().filter(Target::better).count();
    List<NodeAllocationResult> nodes = results(targets, ranking);
    Decision may = allocation.deciders().canRebalance(shard, allocation);
    if (allocation.hasPendingAsyncFetch()) {
      return MoveDecision.cannotRebalance(may, AllocationDecision.AWAITING_INFO, ranking, nodes);
    }
    if (may.type() != Decision.Type.YES) {
      return MoveDecision.cannotRebalance(
          may, AllocationDecision.fromDecisionType(may.type()), ranking, nodes);
    }
    Target best = best(targets);
    return MoveDecision.rebalance(
        may,
        best == null
            ? AllocationDecision.NO
            : AllocationDecision.fromDecisionType(best.decision.type()),
        best == null ? null : best.node,
        ranking,
        nodes);
  }

  /** The best one that is allowed now; else the best one that is throttled. */
  private static @Nullable Target best(List<Target> targets) {
    return targets.stream()
        .filter(target -> target.better() && target.decision.type() != Decision.Type.NO)
        .min(
            Comparator.comparing(
                (Target target) -> target.decision.type() == Decision.Type.THROTTLE))
        .orElse(null);
  }

  private static List<NodeAllocationResult> results(List<Target> targets, int ranking) {
    List<NodeAllocationResult> results = new ArrayList<>();
    for (Target target : targets) {
      AllocationDecision decision =
          target.better() || target.decision.type() == Decision.Type.NO
              ? AllocationDecision.fromDecisionType(target.decision.type())
              : AllocationDecision.WORSE_BALANCE;
      int rank = target.better() ? results.size() + 1 : ranking + 1;
      results.add(new NodeAllocationResult(target.node, decision, target.decision, rank));
    }
    return results;
  }
}
