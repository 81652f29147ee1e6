package io.millrace.observe.prometheus;

import io.millrace.observe.prometheus.Exposition.Type;
import java.util.Map;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.health.ClusterStateHealth;

/**
 * The cluster's health as its manager sees it; other nodes leave it out, so that it counts once.
 */
final class ClusterFigures {
  private ClusterFigures() {}

  static void write(ClusterState state, Exposition page) {
    boolean manager = state.nodes().isLocalNodeElectedClusterManager();
    gauge(page, "manager", "1 on the cluster manager", manager ? 1 : 0);
    gauge(
        page,
        "has_manager",
        "Whether this node knows a cluster manager",
        state.nodes().getClusterManagerNodeId() == null ? 0 : 1);
    if (!manager) {
      return;
    }
    ClusterStateHealth health = new ClusterStateHealth(state);
    gauge(page, "status", "0 green, 1 yellow, 2 red", health.getStatus().value());
    gauge(page, "nodes", "Nodes", health.getNumberOfNodes());
    gauge(page, "data_nodes", "Data nodes", health.getNumberOfDataNodes());
    gauge(page, "shards_active", "Active shards", health.getActiveShards());
    gauge(page, "shards_active_primary", "Active primaries", health.getActivePrimaryShards());
    gauge(page, "shards_relocating", "Relocating shards", health.getRelocatingShards());
    gauge(page, "shards_initializing", "Initializing shards", health.getInitializingShards());
    gauge(page, "shards_unassigned", "Unassigned shards", health.getUnassignedShards());
    gauge(page, "indices", "Indices", state.metadata().indices().size());
  }

  private static void gauge(Exposition page, String name, String help, double value) {
    page.add("millrace_cluster_" + name, Type.GAUGE, "", help, Map.of(), value);
  }
}
