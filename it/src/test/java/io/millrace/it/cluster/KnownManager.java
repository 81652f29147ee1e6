package io.millrace.it.cluster;

import io.millrace.testkit.Await;
import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which node all nodes take for the cluster manager, each asked for what it knows itself. */
final class KnownManager {
  private static final long PAUSE_MILLIS = 5;
  private static final long LIMIT_NANOS = Duration.ofMinutes(1).toNanos();

  private final List<ClusterNode> nodes;

  KnownManager(List<ClusterNode> nodes) {
    this.nodes = nodes;
  }

  /** Waits until all nodes name the same one. */
  String await() throws InterruptedException {
    return awaitOther("");
  }

  /**
   * Waits until all nodes name the same one, which is not this one.
   *
   * @throws AssertionError after a minute, with what they name
   */
  String awaitOther(String former) throws InterruptedException {
    long begun = System.nanoTime();
    while (true) {
      Set<String> named = named();
      String first = named.iterator().next();
      if (named.size() == 1 && !first.equals("-") && !first.equals(former)) {
        return first;
      }
      if (System.nanoTime() - begun > LIMIT_NANOS) {
        throw new AssertionError("no cluster manager after [" + former + "] but " + named);
      }
      Thread.sleep(PAUSE_MILLIS); // finer than Await: tens of milliseconds are measured
    }
  }

  private Set<String> named() {
    return nodes.stream()
        .map(node -> node.http().get("/_cat/cluster_manager?h=node&local=true").ok().body().strip())
        .collect(Collectors.toSet());
  }

  /** The node of this name. */
  ClusterNode node(String name) {
    return nodes.stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow();
  }

  /** Waits until every node has a vote. */
  void awaitVotes() {
    Await.until(
        "a vote for each node",
        Duration.ofMinutes(1),
        () ->
            nodes
                    .getFirst()
                    .http()
                    .get("/_cluster/state/metadata")
                    .ok()
                    .at("/metadata/cluster_coordination/last_committed_config")
                    .size()
                == nodes.size());
  }
}
