package io.millrace.cluster.flapdamping;

import io.millrace.kernel.settings.Switch;
import org.opensearch.cluster.routing.RecoverySource;
import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.decider.AllocationDecider;
import org.opensearch.cluster.routing.allocation.decider.Decision;
import org.opensearch.common.unit.TimeValue;

/**
 * Gives a node that flaps no shards. Four things pass: what is on it stays, a primary whose only
 * copy may lie there comes back at once, because keeping data away serves nobody, a copy that no
 * other node can take comes to it, because a copy that may go soon is better than none, and so does
 * what somebody's command names, as with stock's switches of allocation ({@code
 * EnableAllocationDecider#canAllocate}).
 *
 * <p>A node that has come back once may not flap yet, and gets the copies that wait for it. Shards
 * that have another place are moved to it later, unless they have to leave that place: the next
 * departure would move them back.
 */
final class FlapDecider extends AllocationDecider {
  private static final String NAME = "millrace_flap_damping";

  private final Switch enabled;
  private final FlapLimits limits;
  private final JoinHistory history;

  FlapDecider(Switch enabled, FlapLimits limits, JoinHistory history) {
    this.enabled = enabled;
    this.limits = limits;
    this.history = history;
  }

  @Override
  public Decision canAllocate(ShardRouting shard, RoutingNode node, RoutingAllocation allocation) {
    if (!enabled.on() || history.settled()) {
      return Decision.ALWAYS;
    }
    if (allocation.ignoreDisable()) {
      return allocation.decision(
          Decision.YES, NAME, "a command of POST /_cluster/reroute is followed on any node");
    }
    TimeValue left = history.left(node.nodeId());
    if (left.nanos() == 0) {
      return afterReturn(shard, node, allocation);
    }
    if (shard.unassigned()
        && shard.primary()
        && shard.recoverySource().getType() == RecoverySource.Type.EXISTING_STORE) {
      return allocation.decision(
          Decision.YES, NAME, "the node flaps, and a primary with data there is not kept away");
    }
    if (shard.unassigned() && !otherNodeCanTake(shard, node, allocation)) {
      return allocation.decision(
          Decision.YES, NAME, "the node flaps, and no other node can take the shard");
    }
    return allocation.decision(
        Decision.NO,
        NAME,
        "the node has joined [%d] times within [%s]; it gets shards when it has stayed for [%s], "
            + "which is in [%s]; see [millrace.cluster.flap_damping.joins]",
        history.count(node.nodeId()),
        limits.window(),
        limits.settle(),
        left);
  }

  /** Every decider is asked about the nodes that do not flap; one that is busy can, later. */
  private boolean otherNodeCanTake(ShardRouting shard, RoutingNode node, RoutingAllocation at) {
    for (RoutingNode other : at.routingNodes()) {
      if (!other.equals(node)
          && history.left(other.nodeId()).nanos() == 0
          && at.deciders().canAllocate(shard, other, at).type() != Decision.Type.NO) {
        return true;
      }
    }
    return false;
  }

  private Decision afterReturn(ShardRouting shard, RoutingNode node, RoutingAllocation allocation) {
    TimeValue left = history.returned(node.nodeId());
    if (left.nanos() == 0 || !shard.started() || hasToLeave(shard, allocation)) {
      return allocation.decision(Decision.YES, NAME, "the node does not flap");
    }
    return allocation.decision(
        Decision.NO,
        NAME,
        "the node was away and has come back; shards that have another place are moved to it when "
            + "it has stayed for [%s], which is in [%s]; see [millrace.cluster.flap_damping.settle]",
        limits.settle(),
        left);
  }

  /** Off a full disk, or off a node that is drained: it needs a place more than it needs rest. */
  private static boolean hasToLeave(ShardRouting shard, RoutingAllocation allocation) {
    RoutingNode at = allocation.routingNodes().node(shard.currentNodeId());
    return at != null
        && allocation.deciders().canRemain(shard, at, allocation).type() == Decision.Type.NO;
  }
}
