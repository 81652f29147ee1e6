package io.millrace.cluster.balance;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.RoutingTable;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.shard.ShardId;

/**
 * When a copy of each shard was on its way last, whoever moved it. Every node keeps it, so that the
 * next cluster manager knows it as well.
 */
final class RecentMoves implements ClusterStateListener {
  private final BalanceLimits limits;
  private final LongSupplier nanoTime;
  private final Map<ShardId, Long> seen = new HashMap<>();

  RecentMoves(BalanceLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    if (event.routingTableChanged()) {
      note(event.previousState(), event.state());
    }
  }

  /** Looks at the indices whose routing differs; an unchanged one is the same object. */
  @SuppressWarnings("ReferenceEquality")
  synchronized void note(ClusterState before, ClusterState after) {
    long now = nanoTime.getAsLong();
    long oldest = now - limits.quietTime().nanos();
    seen.values().removeIf(time -> time - oldest < 0);
    RoutingTable previous = before.routingTable();
    for (IndexRoutingTable index : after.routingTable()) {
      IndexRoutingTable old = previous.index(index.getIndex());
      if (old != index) {
        note(index, now);
        if (old != null) {
          note(old, now); // what arrived just now, or was given up
        }
      }
    }
  }

  private void note(IndexRoutingTable index, long now) {
    for (IndexShardRoutingTable shard : index) {
      for (ShardRouting copy : shard) {
        if (copy.relocating()) {
          seen.put(copy.shardId(), now);
        }
      }
    }
  }

  /** How long the shard still stays where it is; zero when it may move. */
  synchronized TimeValue left(ShardId shard) {
    Long time = seen.get(shard);
    if (time == null) {
      return TimeValue.ZERO;
    }
    long left = time + limits.quietTime().nanos() - nanoTime.getAsLong();
    return left > 0 ? TimeValue.timeValueNanos(left) : TimeValue.ZERO;
  }
}
