package io.millrace.cluster.fastrestart;

import java.util.Map;
import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.decider.AllocationDecider;
import org.opensearch.cluster.routing.allocation.decider.Decision;
import org.opensearch.common.unit.TimeValue;

/** A replica that was on an awaited node goes to no other node while it is awaited. */
final class AwaitedNodeDecider extends AllocationDecider {
  private static final String NAME = "millrace_fast_restart";

  private final AwaitedNodes awaited;

  AwaitedNodeDecider(AwaitedNodes awaited) {
    this.awaited = awaited;
  }

  @Override
  public Decision canAllocate(ShardRouting shard, RoutingNode node, RoutingAllocation allocation) {
    Map<String, Long> nodes = awaited.now();
    if (nodes.isEmpty()) {
      return Decision.ALWAYS;
    }
    String last = AwaitedNodes.lastNode(shard);
    Long until = last == null ? null : nodes.get(last);
    if (until == null || node.nodeId().equals(last)) {
      return allocation.decision(Decision.YES, NAME, "the copy waits for no other node");
    }
    return allocation.decision(
        Decision.NO,
        NAME,
        "the copy waits for node [%s], which is being restarted, for [%s]; "
            + "POST /_millrace/restart/_end stops the waiting",
        last,
        TimeValue.timeValueMillis(until - awaited.time()));
  }
}
