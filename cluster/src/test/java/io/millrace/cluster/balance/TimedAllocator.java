package io.millrace.cluster.balance;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.ShardAllocationDecision;
import org.opensearch.cluster.routing.allocation.allocator.ShardsAllocator;

/**
 * What an allocator's rounds cost in CPU time, without the routing table that is built after it.
 */
final class TimedAllocator implements ShardsAllocator {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final ShardsAllocator allocator;
  private long cpuNanos;

  TimedAllocator(ShardsAllocator allocator) {
    this.allocator = allocator;
  }

  /** CPU time since this was asked last, in milliseconds. */
  long takeMillis() {
    long taken = cpuNanos;
    cpuNanos = 0;
    return taken / 1_000_000;
  }

  @Override
  public void allocate(RoutingAllocation allocation) {
    long start = THREADS.getCurrentThreadCpuTime();
    allocator.allocate(allocation);
    cpuNanos += THREADS.getCurrentThreadCpuTime() - start;
  }

  @Override
  public ShardAllocationDecision decideShardAllocation(
      ShardRouting shard, RoutingAllocation allocation) {
    return allocator.decideShardAllocation(shard, allocation);
  }
}
