package io.millrace.launcher.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.client.ClusterClient;
import io.millrace.client.Health;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a cluster says of itself, asked from the first of its nodes that answers.
 *
 * @param status green, yellow, red; {@code down} when no process lives, {@code silent} when one
 *     does and none answers
 */
public record ClusterView(
    ClusterState state, String url, String status, long documents, long bytes, int indices) {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String STATS =
      "/_cluster/stats?filter_path=indices.count,indices.docs.count,indices.store.size_in_bytes";

  public static ClusterView of(ClusterState state) throws InterruptedException {
    List<ClusterState.Node> living = state.living();
    for (ClusterState.Node node : living) {
      try (ClusterClient client =
          new ClusterClient(node.access().options().timeouts(PATIENCE, PATIENCE))) {
        Optional<Health> health = Health.of(client);
        if (health.isPresent()) {
          JsonNode indices =
              client
                  .find(STATS)
                  .map(stats -> stats.path("indices"))
                  .orElse(MissingNode.getInstance());
          return new ClusterView(
              state,
              client.first(),
              health.get().status(),
              indices.path("docs").path("count").asLong(),
              indices.path("store").path("size_in_bytes").asLong(),
              indices.path("count").asInt());
        }
      }
    }
    return new ClusterView(
        state,
        state.nodes().getFirst().access().url(),
        living.isEmpty() ? "down" : "silent",
        0,
        0,
        0);
  }

  /** Every node lives, one answers, and no primary is missing. */
  public boolean well() {
    return state.living().size() == state.nodes().size()
        && (status.equals("green") || status.equals("yellow"));
  }
}
