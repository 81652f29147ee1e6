package io.millrace.cluster.balance;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.cluster.ClusterInfo;
import org.opensearch.cluster.DiskUsage;

/** The same cluster, but one node's disk is full of something else. */
final class DiskFull {
  private DiskFull() {}

  static ClusterInfo of(ClusterInfo sizes, String node) {
    Map<String, DiskUsage> disks = new HashMap<>(sizes.getNodeLeastAvailableDiskUsages());
    disks.put(node, new DiskUsage(node, node, "/", 1_000_000_000_000L, 10_000_000_000L));
    return new ClusterInfo(disks, disks, Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
  }
}
