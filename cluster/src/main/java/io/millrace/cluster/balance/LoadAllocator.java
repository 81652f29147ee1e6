package io.millrace.cluster.balance;

import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.MoveDecision;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.ShardAllocationDecision;
import org.opensearch.cluster.routing.allocation.allocator.BalancedShardsAllocator;
import org.opensearch.cluster.routing.allocation.decider.Decision;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;

/**
 * Stock's allocator with another idea of balance: {@link Placement} for what is unassigned, {@link
 * Rebalance} for what is worth moving. Shards that may not stay where they are, and remote ones,
 * remain stock's (BalancedShardsAllocator#allocate).
 */
final class LoadAllocator extends BalancedShardsAllocator {
  /** What {@code cluster.routing.allocation.type} calls it. */
  static final String NAME = "millrace";

  private final Balancing balancing;
  private volatile TimeValue timeout;
  private volatile boolean throttleIsNoInRestore;
  private volatile long started;

  LoadAllocator(Settings settings, ClusterSettings dynamic, Balancing balancing) {
    super(settings, dynamic);
    this.balancing = balancing;
    this.timeout = ALLOCATOR_TIMEOUT_SETTING.get(settings);
    this.throttleIsNoInRestore = IGNORE_THROTTLE_FOR_REMOTE_RESTORE.get(settings);
    dynamic.addSettingsUpdateConsumer(ALLOCATOR_TIMEOUT_SETTING, value -> timeout = value);
    dynamic.addSettingsUpdateConsumer(
        IGNORE_THROTTLE_FOR_REMOTE_RESTORE, value -> throttleIsNoInRestore = value);
  }

  /** Stock's begins to count with its own part; a round has one time for all of them. */
  @Override
  protected boolean allocatorTimedOut() {
    return timeout.millis() >= 0 && System.nanoTime() - started > timeout.nanos();
  }

  @Override
  public void allocate(RoutingAllocation allocation) {
    started = System.nanoTime();
    if (!balancing.balances() || allocation.routingNodes().size() == 0) {
      super.allocate(allocation);
      if (balancing.lists()) {
        balancing.log().forgetPlans();
        rebalance(allocation, true);
      }
      return;
    }
    if (!allocation.routingNodes().unassigned().isEmpty()) {
      new Placement(allocation, balancing.load(allocation), throttleIsNoInRestore)
          .placeAll(this::allocatorTimedOut);
    }
    long stock = System.nanoTime();
    balancing.withoutStocksBalance(() -> super.allocate(allocation));
    long own = System.nanoTime();
    int moves = rebalance(allocation, false);
    long end = System.nanoTime();
    balancing.last(new Balancing.Round(moves, stock - started + end - own, own - stock));
  }

  private int rebalance(RoutingAllocation allocation, boolean dry) {
    if (allocation.hasPendingAsyncFetch()
        || allocation.routingNodes().size() < 2
        || allocation.deciders().canRebalance(allocation).type() != Decision.Type.YES) {
      return 0;
    }
    ClusterLoad load = balancing.load(allocation);
    return new Rebalance(allocation, load, balancing.limits().tolerance())
        .run(
            Math.max(2, allocation.routingNodes().size() / 2),
            this::allocatorTimedOut,
            move -> move(allocation, move, dry));
  }

  private void move(RoutingAllocation allocation, Rebalance.Move move, boolean dry) {
    ShardRouting shard = move.shard().shard();
    balancing
        .log()
        .add(
            new MoveLog.Move(
                balancing.nowMillis(),
                dry,
                shard.getIndexName(),
                shard.id(),
                shard.primary(),
                move.shard().write(),
                move.shard().bytes(),
                MoveLog.Side.of(move.from()),
                MoveLog.Side.of(move.to()),
                move.gain()));
    if (!dry) {
      allocation
          .routingNodes()
          .relocateShard(
              shard,
              move.to().node.nodeId(),
              allocation
                  .clusterInfo()
                  .getShardSize(shard, ShardRouting.UNAVAILABLE_EXPECTED_SHARD_SIZE),
              allocation.changes());
    }
  }

  @Override
  public ShardAllocationDecision decideShardAllocation(
      ShardRouting shard, RoutingAllocation allocation) {
    if (!balancing.balances()) {
      return super.decideShardAllocation(shard, allocation);
    }
    ClusterLoad load = balancing.load(allocation);
    ShardLoads.OfIndex index = load.loads().index(shard.index());
    if (index == null || !index.local()) {
      return super.decideShardAllocation(shard, allocation);
    }
    if (shard.unassigned()) {
      return new ShardAllocationDecision(
          new Placement(allocation, load, throttleIsNoInRestore).explain(shard),
          MoveDecision.NOT_TAKEN);
    }
    ShardAllocationDecision stock = super.decideShardAllocation(shard, allocation);
    MoveDecision move = stock.getMoveDecision();
    if (!move.isDecisionTaken() || !move.canRemain()) {
      return stock;
    }
    MoveDecision own =
        new RebalanceExplanation(allocation, load, balancing.limits().tolerance()).explain(shard);
    return own.isDecisionTaken()
        ? new ShardAllocationDecision(
            stock.getAllocateDecision(), own.withRemainDecision(move.getCanRemainDecision()))
        : stock;
  }
}
