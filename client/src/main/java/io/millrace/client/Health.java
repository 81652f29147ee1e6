package io.millrace.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * An answer of {@code _cluster/health}.
 *
 * @param status green, yellow or red
 * @param nodes in the cluster
 * @param unassigned shards without a node
 * @param moving shards that initialize or relocate
 */
public record Health(String status, int nodes, int unassigned, int moving) {
  private static final String REQUEST = "/_cluster/health?local=false&cluster_manager_timeout=1s";

  /**
   * Asks a node of this machine.
   *
   * @return empty when nothing answers on the port, or the node has no cluster manager yet
   */
  public static Optional<Health> ofLocal(int port, Duration timeout) throws InterruptedException {
    try (ClusterClient client =
        new ClusterClient(ClientOptions.local(port).timeouts(timeout, timeout))) {
      return of(client);
    }
  }

  /** Empty when nothing answers, or the node has no cluster manager yet. */
  public static Optional<Health> of(ClusterClient client) throws InterruptedException {
    return client
        .find(REQUEST)
        .filter(json -> json.hasNonNull("status") && json.get("status").isTextual())
        .map(Health::read);
  }

  private static Health read(JsonNode json) {
    return new Health(
        json.path("status").asText(),
        json.path("number_of_nodes").asInt(),
        json.path("unassigned_shards").asInt(),
        json.path("initializing_shards").asInt()
            + json.path("relocating_shards").asInt()
            + json.path("number_of_in_flight_fetch").asInt());
  }

  /**
   * Green; or yellow on a single node with nothing on its way, because a replica has no second node
   * to go to, ever.
   */
  public boolean settled(int wanted) {
    return nodes >= wanted
        && (status.equals("green") || (wanted == 1 && status.equals("yellow") && moving == 0));
  }

  /** One line, for messages. */
  public String describe() {
    return status
        + ", "
        + nodes
        + (nodes == 1 ? " node" : " nodes")
        + (unassigned > 0 ? ", " + unassigned + " shards unassigned" : "")
        + (moving > 0 ? ", " + moving + " shards starting or moving" : "");
  }
}
