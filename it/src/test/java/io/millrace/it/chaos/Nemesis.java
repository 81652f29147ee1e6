package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.Await;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Brings one fault after the other and lets the cluster heal in between, without a hand from
 * outside other than that nodes are started and that allocations which failed are tried again.
 */
final class Nemesis {
  private static final Duration AGREE = Duration.ofMinutes(3);
  private static final int LEAST_MILLIS = 3_000;
  private static final int MOST_MILLIS = 12_000;
  private static final int PEACE_MILLIS = 1_500;

  private final Cluster cluster;
  private final Faults faults;
  private final Windows windows;
  private final long origin;
  private final List<String> timeLine = new ArrayList<>();
  private int count;

  Nemesis(Cluster cluster, Faults faults, Windows windows, long origin) {
    this.cluster = cluster;
    this.faults = faults;
    this.windows = windows;
    this.origin = origin;
  }

  /**
   * Goes on until this moment; the last fault may end later.
   *
   * @throws AssertionError when the cluster does not heal
   */
  void run(long until) throws InterruptedException {
    while (System.nanoTime() < until) {
      Thread.sleep(PEACE_MILLIS);
      once(faults.next());
    }
  }

  private void once(Fault fault) throws InterruptedException {
    count++;
    tell(fault.describe());
    windows.open(System.nanoTime(), fault.isolates());
    try {
      fault.begin();
      Thread.sleep(faults.milliseconds(LEAST_MILLIS, MOST_MILLIS));
    } catch (RuntimeException | AssertionError e) {
      tell("  did not go as it should: " + e.getMessage());
    } finally {
      fault.end();
    }
    tell("  ended");
    heal();
  }

  private void heal() {
    Await.until("all nodes to have one cluster state", AGREE, this::agreed);
    windows.agreed(System.nanoTime());
    tell("  one cluster state");
    cluster.http().post("/_cluster/reroute?retry_failed=true&metric=none").ok();
    cluster.awaitGreen();
    windows.healed(System.nanoTime());
    tell("  green");
  }

  private boolean agreed() {
    Set<String> states = new HashSet<>();
    for (ClusterNode node : cluster.nodes()) {
      JsonNode state =
          node.http().get("/_cluster/state/nodes,cluster_manager_node?local=true").ok().at("");
      if (state.path("nodes").size() != cluster.nodes().size()) {
        return false;
      }
      states.add(state.path("cluster_manager_node") + " " + state.path("state_uuid"));
    }
    return states.size() == 1;
  }

  private void tell(String what) {
    timeLine.add(String.format(Locale.ROOT, "%8.1f s  %s", (System.nanoTime() - origin) / 1e9, what));
  }

  /** What happened when. */
  List<String> timeLine() {
    return timeLine;
  }

  /** How many faults there were. */
  int count() {
    return count;
  }
}
