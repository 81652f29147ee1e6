package io.millrace.cluster.balance;

import io.millrace.kernel.settings.Switch;
import java.util.function.LongSupplier;
import org.opensearch.cluster.ClusterInfo;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;

/** What the allocator, its decider, the poll and the report of one node share. */
final class Balancing {
  private final Switch enabled;
  private final BalanceLimits limits;
  private final LongSupplier nowMillis;
  private final LoadBook book = new LoadBook();
  private final MoveLog log = new MoveLog();
  private final RecentMoves recent;
  private final ThreadLocal<Boolean> held = ThreadLocal.withInitial(() -> false);
  private volatile boolean selected;
  private volatile ClusterInfo sizes = ClusterInfo.EMPTY;
  private volatile Round last = new Round(0, 0, 0);

  /**
   * The last allocation round.
   *
   * @param tookNanos placing and moving by this feature, without stock's part
   * @param stockNanos stock's part
   */
  record Round(int moves, long tookNanos, long stockNanos) {}

  Balancing(Switch enabled, BalanceLimits limits, LongSupplier nanoTime, LongSupplier nowMillis) {
    this.enabled = enabled;
    this.limits = limits;
    this.nowMillis = nowMillis;
    this.recent = new RecentMoves(limits, nanoTime);
  }

  /** The node's configuration has named this feature's allocator. */
  void select() {
    selected = true;
  }

  boolean selected() {
    return selected;
  }

  /** Whether shards are placed and moved by load now. */
  boolean balances() {
    return selected && enabled.on() && !limits.dryRun();
  }

  /** Whether moves are only listed now. */
  boolean lists() {
    return selected && enabled.on() && limits.dryRun();
  }

  /** Whether loads are of use now. */
  boolean watches() {
    return selected && enabled.on();
  }

  BalanceLimits limits() {
    return limits;
  }

  LoadBook book() {
    return book;
  }

  MoveLog log() {
    return log;
  }

  RecentMoves recent() {
    return recent;
  }

  Round last() {
    return last;
  }

  void last(Round round) {
    last = round;
  }

  long nowMillis() {
    return nowMillis.getAsLong();
  }

  /** Whether this thread runs stock's allocator and does not want it to balance. */
  boolean stockIsHeld() {
    return held.get();
  }

  /** Runs stock's allocator without its balancing. */
  void withoutStocksBalance(Runnable stock) {
    held.set(true);
    try {
      stock.run();
    } finally {
      held.remove();
    }
  }

  /** The load of every node as this allocation round sees it. */
  ClusterLoad load(RoutingAllocation allocation) {
    sizes = allocation.clusterInfo();
    int nodes = allocation.routingNodes().size();
    ShardLoads loads =
        new ShardLoads(
            allocation.metadata(), allocation.routingTable(), sizes, book, nowMillis(), nodes);
    return new ClusterLoad(allocation.routingNodes(), loads, limits.leastWriteLoad());
  }

  /** The load of every node; sizes are those of the last allocation round. */
  ClusterLoad load(ClusterState state) {
    int nodes = state.getRoutingNodes().size();
    ShardLoads loads =
        new ShardLoads(state.metadata(), state.routingTable(), sizes, book, nowMillis(), nodes);
    return new ClusterLoad(state.getRoutingNodes(), loads, limits.leastWriteLoad());
  }
}
