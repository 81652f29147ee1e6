package io.millrace.cluster.balance;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Switch;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.StreamSupport;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterInfo;
import org.opensearch.cluster.ClusterManagerMetrics;
import org.opensearch.cluster.ClusterModule;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.DiskUsage;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.RoutingTable;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.ShardRoutingState;
import org.opensearch.cluster.routing.TestShardRouting;
import org.opensearch.cluster.routing.allocation.AllocationService;
import org.opensearch.cluster.routing.allocation.RoutingAllocation;
import org.opensearch.cluster.routing.allocation.ShardAllocationDecision;
import org.opensearch.cluster.routing.allocation.allocator.BalancedShardsAllocator;
import org.opensearch.cluster.routing.allocation.decider.AllocationDecider;
import org.opensearch.cluster.routing.allocation.decider.AllocationDeciders;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.gateway.GatewayAllocator;
import org.opensearch.gateway.ShardsBatchGatewayAllocator;
import org.opensearch.snapshots.SnapshotShardSizeInfo;
import org.opensearch.telemetry.metrics.noop.NoopMetricsRegistry;

/**
 * A cluster without nodes: OpenSearch's own allocation service and deciders, with stock's allocator
 * or this feature's, on a routing table whose shards start when they are told to. Time passes by
 * {@link #tick}.
 */
final class SimulatedCluster {
  static final Settings FAST =
      Settings.builder()
          .put("cluster.routing.allocation.node_concurrent_recoveries", 1000)
          .put("cluster.routing.allocation.node_initial_primaries_recoveries", 1000)
          .put("cluster.routing.allocation.cluster_concurrent_rebalance", 10)
          .put("cluster.routing.allocation.allow_rebalance", "always")
          .build();

  /** What a copy really writes and holds. */
  record Truth(double write, double bytes) {}

  final Balancing balancing;
  final Map<String, Truth> truth = new HashMap<>();
  ClusterState state = ClusterState.builder(new ClusterName("simulated")).build();
  ClusterInfo sizes = ClusterInfo.EMPTY;
  int moved;

  /** When a shard began to move last, in minutes; for each move, how long after the last one. */
  final List<Long> pauses = new ArrayList<>();

  private final Map<String, Long> lastMove = new HashMap<>();
  private final AllocationDeciders deciders;
  final TimedAllocator allocator;
  private final AllocationService service;
  private final Settings settings;
  private long seconds = 60;

  SimulatedCluster(boolean millrace, Settings settings) {
    this.settings = settings;
    ClusterSettings dynamic =
        new ClusterSettings(settings, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS);
    Switch enabled = Feature.switchFor(BalanceFeature.ID, true);
    balancing =
        new Balancing(
            enabled, new BalanceLimits(), () -> seconds * 1_000_000_000L, this::nowMillis);
    List<AllocationDecider> all =
        new ArrayList<>(ClusterModule.createAllocationDeciders(settings, dynamic, List.of()));
    if (millrace) {
      balancing.select();
      all.add(new BalanceDecider(balancing));
    }
    deciders = new AllocationDeciders(all);
    allocator =
        new TimedAllocator(
            millrace
                ? new LoadAllocator(settings, dynamic, balancing)
                : new BalancedShardsAllocator(settings, dynamic));
    service =
        new AllocationService(
            deciders,
            allocator,
            () -> sizes,
            () -> SnapshotShardSizeInfo.EMPTY,
            new ClusterManagerMetrics(NoopMetricsRegistry.INSTANCE));
    NoCopies none = new NoCopies();
    service.setExistingShardsAllocators(
        Map.of(
            GatewayAllocator.ALLOCATOR_NAME, none,
            ShardsBatchGatewayAllocator.ALLOCATOR_NAME, none));
  }

  long nowMillis() {
    return seconds * 1_000;
  }

  void pass(long more) {
    tick(60 * more);
  }

  /** Seconds pass. */
  void tick(long more) {
    seconds += more;
  }

  /** Adds data nodes to those that are there. */
  void addNodes(int count) {
    DiscoveryNodes.Builder nodes = DiscoveryNodes.builder(state.nodes());
    int first = state.nodes().getSize();
    for (int i = first; i < first + count; i++) {
      nodes.add(
          new DiscoveryNode(
              "n" + i,
              "n" + i,
              new TransportAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 10_000 + i)),
              Map.of(),
              Set.of(DiscoveryNodeRole.DATA_ROLE, DiscoveryNodeRole.CLUSTER_MANAGER_ROLE),
              Version.CURRENT));
    }
    state =
        ClusterState.builder(state)
            .nodes(nodes.localNodeId("n0").clusterManagerNodeId("n0"))
            .build();
  }

  /** What is to be created. */
  record NewIndex(String name, int shards, int replicas, Settings settings, Truth truth) {
    static NewIndex of(String name, int shards, int replicas, double write, double bytes) {
      return new NewIndex(name, shards, replicas, Settings.EMPTY, new Truth(write, bytes));
    }
  }

  /** Creates indices without placing their shards. */
  void create(List<NewIndex> indices) {
    Metadata.Builder metadata = Metadata.builder(state.metadata());
    RoutingTable.Builder routing = RoutingTable.builder(state.routingTable());
    for (NewIndex index : indices) {
      truth.put(index.name, index.truth);
      IndexMetadata made = metadata(index).build();
      metadata.put(made, false);
      routing.addAsNew(made);
    }
    state = ClusterState.builder(state).metadata(metadata).routingTable(routing.build()).build();
  }

  private IndexMetadata.Builder metadata(NewIndex index) {
    return IndexMetadata.builder(index.name)
        .settings(
            Settings.builder()
                .put("index.version.created", Version.CURRENT)
                .put("index.uuid", index.name + "-uuid")
                .put("index.number_of_shards", index.shards)
                .put("index.number_of_replicas", index.replicas)
                .put("index.creation_date", nowMillis())
                .put(index.settings));
  }

  /** Creates indices whose copies are on the nodes already, in turn. */
  void createStarted(List<NewIndex> indices) {
    Metadata.Builder metadata = Metadata.builder(state.metadata());
    RoutingTable.Builder routing = RoutingTable.builder(state.routingTable());
    int node = 0;
    for (NewIndex index : indices) {
      truth.put(index.name, index.truth);
      IndexMetadata.Builder made = metadata(index);
      Index name = new Index(index.name, index.name + "-uuid");
      IndexRoutingTable.Builder table = IndexRoutingTable.builder(name);
      for (int shard = 0; shard < index.shards; shard++) {
        Set<String> inSync = new HashSet<>();
        for (int copy = 0; copy <= index.replicas; copy++) {
          ShardRouting started =
              TestShardRouting.newShardRouting(
                  new ShardId(name, shard),
                  "n" + node++ % state.nodes().getSize(),
                  copy == 0,
                  ShardRoutingState.STARTED);
          inSync.add(started.allocationId().getId());
          table.addShard(started);
        }
        made.putInSyncAllocationIds(shard, inSync);
      }
      metadata.put(made.build(), false);
      routing.add(table);
    }
    state = ClusterState.builder(state).metadata(metadata).routingTable(routing.build()).build();
  }

  /** One round of allocation. */
  void reroute() {
    become(service.reroute(state, "simulated"));
  }

  private void become(ClusterState next) {
    balancing.recent().note(state, next);
    state = next;
  }

  /** Everything that initializes has started; relocations only when they are wanted. */
  boolean start(boolean relocations) {
    List<ShardRouting> ready = new ArrayList<>();
    for (RoutingNode node : state.getRoutingNodes()) {
      for (ShardRouting shard : node) {
        if (shard.initializing() && (relocations || shard.relocatingNodeId() == null)) {
          ready.add(shard);
          if (shard.relocatingNodeId() != null) {
            arrived(shard);
          }
        }
      }
    }
    if (!ready.isEmpty()) {
      become(service.applyStartedShards(state, ready));
    }
    return !ready.isEmpty();
  }

  private void arrived(ShardRouting shard) {
    moved++;
    Long last = lastMove.put(shard.shardId() + (shard.primary() ? "p" : "r"), seconds / 60);
    if (last != null) {
      pauses.add(seconds / 60 - last);
    }
  }

  /** Rounds of a minute each until nothing moves any more. */
  void settle(int rounds) {
    int quiet = 0;
    for (int i = 0; i < rounds && quiet < 2; i++) {
      reroute();
      if (start(true)) {
        quiet = 0;
        pass(1);
      } else {
        quiet++; // once more when every shard may move again
        pass(11);
      }
    }
  }

  /** What one copy really has. */
  Truth truth(ShardRouting shard) {
    Truth all = truth.get(shard.getIndexName());
    return shard.primary() ? all : new Truth(all.write * ShardLoads.REPLICA_SHARE, all.bytes);
  }

  /** The fullest node over the average one. */
  double skew(ToDoubleFunction<Truth> of) {
    double most = 0;
    double all = 0;
    for (RoutingNode node : state.getRoutingNodes()) {
      double has =
          StreamSupport.stream(node.spliterator(), false)
              .filter(shard -> !shard.relocating())
              .mapToDouble(shard -> of.applyAsDouble(truth(shard)))
              .sum();
      most = Math.max(most, has);
      all += has;
    }
    return all == 0 ? 1 : most / (all / state.getRoutingNodes().size());
  }

  /** Tells the cluster manager what every shard writes; with the same error for the same seed. */
  void measure(Random random, double noise) {
    Map<String, Object> primaries = new HashMap<>();
    Map<String, Object> replicas = new HashMap<>();
    for (IndexMetadata index : state.metadata()) {
      Truth real = truth.get(index.getIndex().getName());
      for (int i = 0; i < index.getNumberOfShards(); i++) {
        double error = Math.exp(noise * random.nextGaussian());
        String key = WriteRates.key(index.getIndexUUID(), i);
        if (real.write > 0) {
          double busy = real.write * error;
          primaries.put(key, new CopyRate(1000 * busy, busy, 1).report());
          double replica = busy * ShardLoads.REPLICA_SHARE;
          replicas.put(key, new CopyRate(1000 * busy, replica, 1).report());
        }
      }
    }
    take(primaries, replicas, 0);
  }

  /** The cluster manager gets reports of all nodes. */
  void take(Map<String, Object> primaries, Map<String, Object> replicas, double kept) {
    LoadBook.Poll poll = new LoadBook.Poll(balancing.limits().window().nanos() / 1e9);
    poll.add(Map.of(WriteRates.PRIMARIES, primaries, WriteRates.REPLICAS, replicas));
    balancing.book().take(poll, state.metadata(), kept);
  }

  /** Tells the cluster manager the sizes of all shards, and of disks of so many bytes. */
  void weigh(double disk) {
    Map<String, Long> shards = new HashMap<>();
    Map<String, Double> used = new HashMap<>();
    state.nodes().getDataNodes().keySet().forEach(node -> used.put(node, 0.0));
    for (ShardRouting shard : state.routingTable().allShards()) {
      double bytes = truth(shard).bytes;
      shards.put(shard.shardId() + (shard.primary() ? "[p]" : "[r]"), (long) bytes);
      if (shard.assignedToNode()) {
        used.merge(shard.currentNodeId(), bytes, Double::sum);
      }
    }
    Map<String, DiskUsage> disks = new HashMap<>();
    used.forEach((node, bytes) ->
        disks.put(
            node, new DiskUsage(node, node, "/", (long) disk, (long) Math.max(0, disk - bytes))));
    sizes = new ClusterInfo(disks, disks, shards, Map.of(), Map.of(), Map.of(), Map.of());
  }

  /** One node's disk is full of something else. */
  void fill(String node) {
    Map<String, DiskUsage> disks = new HashMap<>(sizes.getNodeLeastAvailableDiskUsages());
    disks.put(node, new DiskUsage(node, node, "/", 1_000_000_000_000L, 10_000_000_000L));
    sizes = new ClusterInfo(disks, disks, Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
  }

  /** What {@code _cluster/allocation/explain} would say of a copy. */
  ShardAllocationDecision explain(ShardRouting shard) {
    RoutingAllocation allocation =
        new RoutingAllocation(
            deciders,
            state.getRoutingNodes(),
            state,
            sizes,
            SnapshotShardSizeInfo.EMPTY,
            System.nanoTime(),
            settings);
    allocation.debugDecision(true);
    return service.explainShardAllocation(shard, allocation);
  }
}
