package io.millrace.cluster.balance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.opensearch.common.settings.Settings;

/**
 * The day on which hot spots are made: nodes join, and right after that every series of indices
 * begins a new generation. Loads of the series follow Zipf's law, every measured rate is wrong by
 * some 20 percent, and every generation writes somewhat more or less than the one before.
 */
final class RolloverScenario {
  private static final double GB = 1L << 30;

  private final int nodes;
  private final int joining;
  private final int cold;
  private final int series;
  private final double noise;

  RolloverScenario(int nodes, int joining, int cold, int series, double noise) {
    this.nodes = nodes;
    this.joining = joining;
    this.cold = cold;
    this.series = series;
    this.noise = noise;
  }

  /**
   * How even the cluster was.
   *
   * @param writeAtOnce the node that writes most over the average, when the indices are new
   * @param write the same when no shard moves any more
   * @param bytes the fullest node over the average one, in the end
   * @param moved shards that moved
   */
  record Result(
      double writeAtOnce,
      double write,
      double bytes,
      double shards,
      int moved,
      SimulatedCluster cluster) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "write %.2f at once, %.2f settled; bytes %.2f; shards %.2f; %d moves",
          writeAtOnce,
          write,
          bytes,
          shards,
          moved);
    }
  }

  private static SimulatedCluster.NewIndex generation(
      int number, int generation, double write, double bytes) {
    int shards = number < 4 ? 3 : 1;
    return SimulatedCluster.NewIndex.of(
        "series-" + (char) ('a' + number % 26) + "x".repeat(number / 26) + "-00000" + generation,
        shards,
        1,
        write / shards,
        bytes / shards);
  }

  Result run(boolean millrace, long seed) {
    Random random = new Random(seed);
    Random errors = new Random(seed + 1);
    SimulatedCluster cluster = new SimulatedCluster(millrace, SimulatedCluster.FAST);
    cluster.addNodes(nodes);
    List<SimulatedCluster.NewIndex> first = new ArrayList<>();
    for (int i = 0; i < cold; i++) {
      first.add(
          SimulatedCluster.NewIndex.of(
              "cold-" + "x".repeat(i + 1), 1, 1, 0, (1 + random.nextInt(50)) * GB));
    }
    double[] writes = new double[series];
    for (int i = 0; i < series; i++) {
      writes[i] = 4 / Math.pow(i + 1, 0.8);
      first.add(generation(i, 1, writes[i], writes[i] * 40 * GB));
    }
    cluster.create(first);
    double disk = 1e13;
    cluster.weigh(disk);
    cluster.measure(errors, noise);
    cluster.settle(500);
    cluster.weigh(disk);
    cluster.settle(500);
    cluster.moved = 0;
    cluster.addNodes(joining);
    for (int i = 0; i < series; i++) {
      double write = writes[i] * Math.exp(0.2 * random.nextGaussian());
      cluster.create(List.of(generation(i, 2, write, write * 40 * GB)));
      cluster.reroute();
      cluster.start(false);
      cluster.start(false);
    }
    for (int i = 0; i < series; i++) {
      SimulatedCluster.NewIndex old = generation(i, 1, 0, writes[i] * 40 * GB);
      cluster.truth.put(old.name(), old.truth());
    }
    double atOnce = cluster.skew(SimulatedCluster.Truth::write);
    cluster.measure(errors, noise);
    cluster.settle(500);
    cluster.weigh(disk);
    cluster.measure(errors, noise);
    cluster.settle(500);
    return new Result(
        atOnce,
        cluster.skew(SimulatedCluster.Truth::write),
        cluster.skew(SimulatedCluster.Truth::bytes),
        cluster.skew(any -> 1),
        cluster.moved,
        cluster);
  }

  /** A cluster with room for nothing but what is asked for. */
  static Settings with(String name, String value) {
    return Settings.builder().put(SimulatedCluster.FAST).put(name, value).build();
  }
}
