package io.millrace.cluster.balance;

import org.opensearch.cluster.routing.RoutingPool;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.decider.AllocationDecider;
import org.opensearch.cluster.routing.allocation.decider.Decision;
import org.opensearch.common.unit.TimeValue;

/**
 * Keeps stock's balancing back while {@link LoadAllocator} balances by itself, and a shard that has
 * just moved where it is.
 */
final class BalanceDecider extends AllocationDecider {
  private static final String NAME = "millrace_balance";

  private final Balancing balancing;

  BalanceDecider(Balancing balancing) {
    this.balancing = balancing;
  }

  @Override
  public Decision canRebalance(RoutingAllocation allocation) {
    return balancing.stockIsHeld() ? Decision.NO : Decision.ALWAYS;
  }

  @Override
  public Decision canRebalance(ShardRouting shard, RoutingAllocation allocation) {
    if (!balancing.balances()
        || RoutingPool.getShardPool(shard, allocation) != RoutingPool.LOCAL_ONLY) {
      return Decision.ALWAYS;
    }
    TimeValue left = balancing.recent().left(shard.shardId());
    if (left.nanos() == 0) {
      return allocation.decision(Decision.YES, NAME, "the shard has not moved lately");
    }
    return allocation.decision(
        Decision.NO,
        NAME,
        "a copy of the shard has just moved; it may move again for balance in [%s], see "
            + "[millrace.cluster.balance.quiet_time]",
        left);
  }
}
