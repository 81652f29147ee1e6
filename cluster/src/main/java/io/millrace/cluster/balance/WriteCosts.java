package io.millrace.cluster.balance;

import java.util.HashMap;
import java.util.Map;

/**
 * What one document costs, by index, of the primaries or of the replicas.
 *
 * <p>How many documents a copy gets is known exactly. The time that they take also holds whatever
 * stopped the thread meanwhile: collections of garbage, other processes, a node that has just
 * started. An index that has written for long enough is believed, by the mean of its copies; one
 * that has not costs what documents cost on the average.
 */
final class WriteCosts {
  /** Busy seconds within the window at which an index is believed by half. */
  private static final double PAUSES_SECONDS = 2;

  private final Map<String, double[]> byIndex = new HashMap<>();
  private final double windowSeconds;
  private double operations;
  private double busy;

  WriteCosts(double windowSeconds) {
    this.windowSeconds = windowSeconds;
  }

  /** One more copy of a shard. */
  void add(String shard, CopyRate copy) {
    double[] index = byIndex.computeIfAbsent(WriteRates.index(shard), any -> new double[2]);
    index[0] += copy.operations();
    index[1] += copy.busy();
    operations += copy.operations();
    busy += copy.busy();
  }

  /** Busy threads of a copy of the shard. */
  double busy(String shard, CopyRate copy) {
    double[] index = byIndex.get(WriteRates.index(shard));
    if (index == null || index[0] == 0 || operations == 0) {
      return copy.busy();
    }
    double average = busy / operations;
    double spent = index[1] * windowSeconds;
    double belief = spent / (spent + PAUSES_SECONDS);
    return copy.operations() * (average + belief * (index[1] / index[0] - average));
  }
}
