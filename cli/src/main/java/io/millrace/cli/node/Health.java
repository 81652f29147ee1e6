package io.millrace.cli.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Empty when nothing answers on the port, or the node has no cluster manager yet. */
  public static Optional<Health> of(int port, Duration timeout) throws InterruptedException {
    return get(port, "/_cluster/health?local=false&cluster_manager_timeout=1s", timeout)
        .filter(json -> json.hasNonNull("status") && json.get("status").isTextual())
        .map(json ->
            new Health(
                json.path("status").asText(),
                json.path("number_of_nodes").asInt(),
                json.path("unassigned_shards").asInt(),
                json.path("initializing_shards").asInt()
                    + json.path("relocating_shards").asInt()
                    + json.path("number_of_in_flight_fetch").asInt()));
  }

  /** GET on the loopback address; empty when there is no answer of status 200 in JSON. */
  static Optional<JsonNode> get(int port, String path, Duration timeout)
      throws InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(timeout).build()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .timeout(timeout)
              .build();
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return response.statusCode() == 200
          ? Optional.of(JSON.readTree(response.body()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Green; or yellow on a single node with nothing on its way, because a replica has no second node
   * to go to, ever.
   */
  boolean settled(int wanted) {
    return nodes >= wanted
        && (status.equals("green") || (wanted == 1 && status.equals("yellow") && moving == 0));
  }

  String describe() {
    return status
        + ", "
        + nodes
        + (nodes == 1 ? " node" : " nodes")
        + (unassigned > 0 ? ", " + unassigned + " shards unassigned" : "")
        + (moving > 0 ? ", " + moving + " shards starting or moving" : "");
  }
}
