package io.millrace.cluster.balance;

import java.util.List;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.AllocateUnassignedDecision;
import org.opensearch.cluster.routing.allocation.ExistingShardsAllocator;
import org.opensearch.cluster.routing.allocation.FailedShard;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;

/** No node has data of any shard, so that the allocator decides about all of them. */
final class NoCopies implements ExistingShardsAllocator {
  @Override
  public void beforeAllocation(RoutingAllocation allocation) {}

  @Override
  public void afterPrimariesBeforeReplicas(RoutingAllocation allocation) {}

  @Override
  public void allocateUnassigned(
      ShardRouting shard, RoutingAllocation allocation, UnassignedAllocationHandler handler) {}

  @Override
  public Runnable allocateAllUnassignedShards(RoutingAllocation allocation, boolean primary) {
    return () -> {};
  }

  @Override
  public AllocateUnassignedDecision explainUnassignedShardAllocation(
      ShardRouting shard, RoutingAllocation allocation) {
    return AllocateUnassignedDecision.NOT_TAKEN;
  }

  @Override
  public void cleanCaches() {}

  @Override
  public void applyStartedShards(List<ShardRouting> started, RoutingAllocation allocation) {}

  @Override
  public void applyFailedShards(List<FailedShard> failed, RoutingAllocation allocation) {}

  @Override
  public int getNumberOfInFlightFetches() {
    return 0;
  }
}
