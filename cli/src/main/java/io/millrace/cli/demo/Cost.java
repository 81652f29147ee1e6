package io.millrace.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.ClusterClient;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What loading an index cost a cluster.
 *
 * @param bytes of the primaries, merged to one segment per shard
 * @param cpuSeconds processor time of the cluster's nodes, from before the load until after that
 *     merge, so that merges which had not run yet are counted as well
 */
record Cost(long bytes, double cpuSeconds) {

  /** Loads, merges and measures. */
  static Cost of(ClusterClient cluster, String index, Runnable load) {
    double before = cpuSeconds(cluster);
    load.run();
    cluster.call("POST", "/" + index + "/_flush", "");
    cluster.call("POST", "/" + index + "/_forcemerge?max_num_segments=1", "");
    double after = cpuSeconds(cluster);
    cluster.call("POST", "/" + index + "/_refresh", "");
    return new Cost(
        searched(cluster.call("GET", "/" + index + "/_segments", null).json()), after - before);
  }

  /**
   * Bytes of the segments of all primaries that searches see. The store's size also counts the
   * segments that were merged, until nothing reads them any longer.
   */
  static long searched(@Nullable JsonNode answer) {
    long bytes = 0;
    for (JsonNode index : answer == null ? List.<JsonNode>of() : answer.path("indices")) {
      for (JsonNode copies : index.path("shards")) {
        for (JsonNode copy : copies) {
          if (copy.at("/routing/primary").asBoolean()) {
            for (JsonNode segment : copy.path("segments")) {
              bytes +=
                  segment.path("search").asBoolean() ? segment.path("size_in_bytes").asLong() : 0;
            }
          }
        }
      }
    }
    return bytes;
  }

  /** Processor time of all nodes since they started; 0 where they do not say. */
  private static double cpuSeconds(ClusterClient cluster) {
    JsonNode stats = cluster.call("GET", "/_nodes/stats/process", null).json();
    double millis = 0;
    if (stats != null) {
      for (JsonNode node : stats.path("nodes")) {
        millis += node.at("/process/cpu/total_in_millis").asDouble();
      }
    }
    return millis / 1000;
  }

  /** For example {@code 24.8 MB in one segment, 5.1 s of CPU}. */
  String text() {
    return String.format(
        Locale.ROOT, "%.1f MB merged to one segment, %.1f s of CPU", bytes / 1e6, cpuSeconds);
  }

  /** What this is of another's, for example {@code 0.33 x the bytes, 0.52 x the CPU}. */
  String beside(Cost other) {
    return String.format(
        Locale.ROOT,
        "%.2f x the bytes, %.2f x the CPU",
        (double) bytes / Math.max(1, other.bytes),
        cpuSeconds / Math.max(0.001, other.cpuSeconds));
  }
}
