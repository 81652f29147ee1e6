package io.millrace.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
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

  public static ClusterView of(ClusterState state) throws InterruptedException {
    List<ClusterState.Node> living = state.living();
    for (ClusterState.Node node : living) {
      Optional<Health> health = Health.of(node.httpPort(), PATIENCE);
      if (health.isPresent()) {
        JsonNode indices =
            Health.get(
                    node.httpPort(),
                    "/_cluster/stats?filter_path=indices.count,indices.docs.count,indices.store.size_in_bytes",
                    PATIENCE)
                .map(stats -> stats.path("indices"))
                .orElse(com.fasterxml.jackson.databind.node.MissingNode.getInstance());
        return new ClusterView(
            state,
            url(node),
            health.get().status(),
            indices.path("docs").path("count").asLong(),
            indices.path("store").path("size_in_bytes").asLong(),
            indices.path("count").asInt());
      }
    }
    return new ClusterView(
        state, url(state.nodes().getFirst()), living.isEmpty() ? "down" : "silent", 0, 0, 0);
  }

  private static String url(ClusterState.Node node) {
    return "http://127.0.0.1:" + node.httpPort();
  }

  /** Every node lives, one answers, and no primary is missing. */
  public boolean well() {
    return state.living().size() == state.nodes().size()
        && (status.equals("green") || status.equals("yellow"));
  }
}
