package io.millrace.it.chaos;

import io.millrace.client.Answer;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The REST ports of all nodes, as clients with short patience see them. */
final class Doors implements AutoCloseable {
  /** For how long a client waits for an answer. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private final List<ClusterClient> clients = new ArrayList<>();

  Doors(Cluster cluster) {
    for (ClusterNode node : cluster.nodes()) {
      clients.add(
          new ClusterClient(
              ClientOptions.local(node.port()).timeouts(Duration.ofSeconds(1), PATIENCE)));
    }
  }

  /** The number of a node. */
  int any(Random random) {
    return random.nextInt(clients.size());
  }

  /**
   * Asks one node.
   *
   * @throws NoAnswerException when no whole answer came; it tells whether the request was sent
   */
  Answer ask(int node, Request request) throws NoAnswerException, InterruptedException {
    return clients.get(node).send(request);
  }

  @Override
  public void close() {
    clients.forEach(ClusterClient::close);
  }
}
