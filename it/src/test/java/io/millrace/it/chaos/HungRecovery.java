package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What can be seen of a recovery that stands still: the numbers of each copy of the shard, and what
 * the threads of every node do. A source that waits in {@code
 * ReplicationTracker#markAllocationIdAsInSync} for a copy whose local checkpoint is behind the
 * global one waits for operations that nobody sends.
 */
final class HungRecovery {
  private final Cluster cluster;

  HungRecovery(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Writes stacks and statistics into a file of {@code it/target}.
   *
   * @return a line for each copy of the index: node, role, local and global checkpoint, highest
   *     number; and the name of the file
   */
  List<String> tell(String index) {
    JsonNode shards =
        cluster.http().get("/" + index + "/_stats?level=shards").ok().at("/indices/" + index);
    List<String> lines = new ArrayList<>();
    for (JsonNode copy : shards.path("shards").path("0")) {
      lines.add(
          "%s: %s on %s, %s, retention %s"
              .formatted(
                  index,
                  copy.at("/routing/primary").asBoolean() ? "primary" : "replica",
                  copy.at("/routing/node").asText() + " " + copy.at("/routing/state").asText(),
                  copy.path("seq_no"),
                  copy.path("retention_leases")));
    }
    lines.add(write(index));
    return lines;
  }

  private String write(String index) {
    StringBuilder all = new StringBuilder();
    all.append(cluster.http().get("/" + index + "/_recovery?detailed&human").body()).append('\n');
    all.append(cluster.http().get("/" + index + "/_stats?level=shards").body()).append('\n');
    all.append(cluster.http().get("/_cat/nodes?full_id&h=id,name,http,pid").body()).append('\n');
    for (ClusterNode node : cluster.nodes()) {
      String path =
          "/_nodes/_local/hot_threads?threads=999&ignore_idle_threads=false&interval=50ms"
              + "&snapshots=1";
      all.append(node.http().get(path).body()).append('\n');
    }
    for (ClusterNode node : cluster.nodes()) {
      all.append(node.tail()).append('\n');
    }
    Path file = Path.of("target/chaos-hung-" + index + "-" + System.nanoTime() + ".txt");
    try {
      return Files.writeString(file, all).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
