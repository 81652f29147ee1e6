package io.millrace.plugin.example;

import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.decider.AllocationDecider;
import org.opensearch.cluster.routing.allocation.decider.Decision;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;

/** Keeps the shards of an index off the node that it names. */
final class SeverityDecider extends AllocationDecider {
  static final Setting<String> KEPT_OFF =
      Setting.simpleString(
          "index.millrace.severity.kept_off", Property.IndexScope, Property.Dynamic);

  @Override
  public Decision canAllocate(ShardRouting shard, RoutingNode node, RoutingAllocation allocation) {
    String keptOff = KEPT_OFF.get(allocation.metadata().getIndexSafe(shard.index()).getSettings());
    return node.node().getName().equals(keptOff)
        ? allocation.decision(Decision.NO, "severity", "[%s] names this node", KEPT_OFF.getKey())
        : allocation.decision(Decision.YES, "severity", "[%s] does not", KEPT_OFF.getKey());
  }
}
