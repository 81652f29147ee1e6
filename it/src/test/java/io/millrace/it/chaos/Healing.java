package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.Await;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Waits until a cluster is whole again; every index of the run begins with {@link #PREFIX}. */
final class Healing {
  /** Begins the names of the indices that have to be whole. */
  static final String PREFIX = "chaos-";

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final Cluster cluster;

  Healing(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Waits until every node has the same cluster state, with all nodes in it.
   *
   * @throws AssertionError after three minutes
   */
  void agreed() {
    Await.until("all nodes to have one cluster state", LIMIT, this::oneState);
  }

  private boolean oneState() {
    Set<String> states = new HashSet<>();
    for (ClusterNode node : cluster.nodes()) {
      JsonNode state =
          node.http()
              .get("/_cluster/state/version,nodes,cluster_manager_node?local=true")
              .ok()
              .at("");
      if (state.path("nodes").size() != cluster.nodes().size() || !state.has("state_uuid")) {
        return false;
      }
      states.add(state.path("cluster_manager_node") + " " + state.path("state_uuid"));
    }
    return states.size() == 1;
  }

  /**
   * Waits until every copy of every shard is in place. What failed too often while a fault lasted
   * is tried again.
   *
   * @throws AssertionError after three minutes, with the shards
   */
  void green() {
    cluster.http().post("/_cluster/reroute?retry_failed=true&metric=none").ok();
    String health = "/_cluster/health/" + PREFIX + "*?wait_for_status=green&timeout=5s";
    try {
      Await.until("every copy in place", LIMIT, () -> cluster.http().get(health).status() == 200);
    } catch (AssertionError e) {
      String shards =
          cluster.http().get("/_cat/shards/" + PREFIX + "*?h=index,prirep,state,node,ur").body();
      String why = cluster.http().get("/_cluster/allocation/explain").body();
      throw new AssertionError(e.getMessage() + "\n" + shards + "\n" + why, e);
    }
  }

  /**
   * Waits until no node has a write under way, also none whose client has left.
   *
   * @throws AssertionError after three minutes
   */
  void quiet() {
    Await.until(
        "the end of all writes",
        LIMIT,
        () ->
            cluster.http().get("/_tasks?actions=indices:data/write*").ok().at("/nodes").isEmpty());
  }
}
