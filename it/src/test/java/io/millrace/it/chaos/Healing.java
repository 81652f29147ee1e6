package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.Await;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Waits until a cluster is whole again; every index of the run begins with {@link #PREFIX}. */
final class Healing {
  /** Begins the names of the indices that have to be whole. */
  static final String PREFIX = "chaos-";

  /** After this time a recovery that has copied everything hangs: it takes milliseconds. */
  private static final Duration HANGS = Duration.ofMinutes(1);

  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Two checks of three seconds, and the second between them (ChaosIT#run). */
  private static final Duration DETECTED = Duration.ofSeconds(8);

  private final Cluster cluster;
  private final List<String> hung = new ArrayList<>();

  Healing(Cluster cluster) {
    this.cluster = cluster;
  }

  /** What was seen of recoveries that stood still, in words. */
  List<String> hung() {
    return List.copyOf(hung);
  }

  /**
   * Waits until every node has the same cluster state, with all nodes in it, and none is left out
   * again: checks of a node that began while it stood still may fail later.
   *
   * @return the moment since which they agree, of {@link System#nanoTime}
   * @throws AssertionError after three minutes
   */
  long agreed() throws InterruptedException {
    while (true) {
      Await.until("all nodes to have one cluster state", LIMIT, this::oneState);
      long since = System.nanoTime();
      while (all()) {
        if (System.nanoTime() - since > DETECTED.toNanos()) {
          return since;
        }
        Thread.sleep(100);
      }
    }
  }

  /** Whether every node knows all of them. */
  private boolean all() {
    return cluster.nodes().stream()
        .map(node -> node.http().get("/_cluster/state/nodes?local=true").ok().at("/nodes"))
        .allMatch(nodes -> nodes.size() == cluster.nodes().size());
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
   * is tried again. A recovery under segment replication that hangs with nothing left to copy is
   * cancelled, so that another one is begun; OpenSearch's issues 6084 and 20177 tell of the like.
   *
   * @return how many recoveries were begun anew
   * @throws AssertionError after three minutes, with the shards
   */
  int green() {
    String retry = "/_cluster/reroute?retry_failed=true&metric=none";
    Await.until(
        "failed allocations to be tried again",
        LIMIT,
        () -> cluster.http().post(retry).status() == 200);
    String health = "/_cluster/health/" + PREFIX + "*?wait_for_status=green&timeout=5s";
    long hangs = System.nanoTime() + HANGS.toNanos();
    int[] anew = {0};
    try {
      Await.until(
          "every copy in place",
          LIMIT,
          () -> {
            if (anew[0] == 0 && System.nanoTime() > hangs) {
              anew[0] = beginAnew();
            }
            return cluster.http().get(health).status() == 200;
          });
      return anew[0];
    } catch (AssertionError e) {
      String shards =
          cluster.http().get("/_cat/shards/" + PREFIX + "*?h=index,prirep,state,node,ur").body();
      String why = cluster.http().get("/_cluster/allocation/explain").body();
      throw new AssertionError(e.getMessage() + "\n" + shards + "\n" + why, e);
    }
  }

  /** Cancels the recoveries that have copied everything and do not end. */
  private int beginAnew() {
    String path =
        "/_cat/recovery/"
            + PREFIX
            + Checker.SEGMENT
            + "*?active_only&format=json&h=index,shard,"
            + "type,stage,target_node,translog_ops,translog_ops_recovered";
    int anew = 0;
    for (JsonNode recovery : cluster.http().get(path).ok().json()) {
      if (recovery.path("type").asText().equals("peer")
          && recovery.path("stage").asText().equals("translog")
          && recovery.path("translog_ops").equals(recovery.path("translog_ops_recovered"))) {
        hung.add(recovery.toString());
        hung.addAll(new HungRecovery(cluster).tell(recovery.path("index").asText()));
        cluster
            .http()
            .post(
                "/_cluster/reroute?metric=none",
                "{\"commands\":[{\"cancel\":{\"index\":\"%s\",\"shard\":%s,\"node\":\"%s\"}}]}"
                    .formatted(
                        recovery.path("index").asText(),
                        recovery.path("shard").asText(),
                        recovery.path("target_node").asText()))
            .ok();
        anew++;
      }
    }
    return anew;
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
