package io.millrace.cluster.balance;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.ShardRouting;

/**
 * Writes to the shards of a simulated cluster as time passes, and reports what the counters of the
 * shards say: documents exactly, and the time that they took with all pauses that fell into it.
 */
final class SimulatedWriting {
  private static final long NANOS = 1_000_000_000L;

  /** Of a document on a warm primary. */
  private static final double MILLIS = 0.1;

  /** How often a shard's thread stands still while it indexes, and for how long on the average. */
  private static final double PAUSES_A_BUSY_SECOND = 1;

  private static final double PAUSE_MILLIS = 500;

  /** A node that has just started needs up to so many times longer, and is warm after a while. */
  private static final double COLD = 4;

  private static final double WARM_SECONDS = 60;

  private final SimulatedCluster cluster;
  private final Random random;
  private final Map<String, double[]> counters = new HashMap<>();
  private final Map<String, CopyRate.Watch> watches = new HashMap<>();
  private final Map<String, Double> busySeconds = new HashMap<>();
  private long seconds;

  SimulatedWriting(SimulatedCluster cluster, long seed) {
    this.cluster = cluster;
    this.random = new Random(seed);
  }

  /** Seconds pass in which each index gets so many documents a second, by {@code truth}. */
  void write(int more) {
    seconds += more;
    cluster.tick(more);
    for (RoutingNode node : cluster.state.getRoutingNodes()) {
      double cold = 1 + (COLD - 1) * Math.exp(-busy(node.nodeId()) / WARM_SECONDS);
      for (ShardRouting shard : node) {
        double documents = cluster.truth.get(shard.getIndexName()).write() * more;
        if (documents > 0 && (shard.started() || shard.relocating())) {
          double cost = MILLIS * (shard.primary() ? 1 : ShardLoads.REPLICA_SHARE) * cold;
          double millis = documents * cost + pauses(documents * cost / 1000);
          double[] counter = counters.computeIfAbsent(copy(shard), any -> new double[2]);
          counter[0] += documents;
          counter[1] += millis;
        }
      }
      busySeconds.merge(node.nodeId(), (double) more, Double::sum);
    }
  }

  private double busy(String node) {
    return busySeconds.getOrDefault(node, 0.0);
  }

  private double pauses(double busy) {
    double millis = 0;
    double left = PAUSES_A_BUSY_SECOND * busy;
    while (random.nextDouble() < left) {
      millis += -Math.log(1 - random.nextDouble()) * PAUSE_MILLIS;
      left--;
    }
    return millis;
  }

  private static String copy(ShardRouting shard) {
    return shard.allocationId().getId();
  }

  /** The cluster manager asks every node, as {@link LoadPoll} does. */
  void poll(double kept) {
    Map<String, Object> primaries = new HashMap<>();
    Map<String, Object> replicas = new HashMap<>();
    for (RoutingNode node : cluster.state.getRoutingNodes()) {
      for (ShardRouting shard : node) {
        if (!shard.started()) {
          continue;
        }
        double[] counter = counters.getOrDefault(copy(shard), new double[2]);
        CopyRate.Watch watch = watches.get(copy(shard));
        if (watch == null) {
          watches.put(
              copy(shard),
              new CopyRate.Watch(seconds * NANOS, (long) counter[0], (long) counter[1]));
          continue;
        }
        CopyRate rate =
            watch.look(
                seconds * NANOS, (long) counter[0], (long) counter[1], cluster.balancing.limits());
        if (rate != null) {
          (shard.primary() ? primaries : replicas)
              .put(WriteRates.key(shard.index().getUUID(), shard.id()), rate.report());
        }
      }
    }
    cluster.take(primaries, replicas, kept);
  }
}
