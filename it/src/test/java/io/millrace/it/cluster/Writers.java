package io.millrace.it.cluster;

import io.millrace.it.guard.Acknowledgements;
import io.millrace.it.guard.Clients;
import io.millrace.testkit.Await;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One writer at each of some nodes that stay, and what all of them were promised. */
final class Writers implements AutoCloseable {
  /** Documents of a bulk. */
  private static final int SIZE = 20;

  /** From one bulk of a writer to its next. */
  private static final int PACE_MILLIS = 100;

  private final Acknowledgements acknowledged;
  private final List<Clients> clients;

  Writers(String index, List<ClusterNode> nodes) {
    acknowledged = new Acknowledgements(index);
    clients =
        nodes.stream()
            .map(node -> Clients.writing(node.port(), 1, SIZE, PACE_MILLIS, acknowledged))
            .toList();
  }

  /** Waits until so many documents are kept. */
  void await(long documents) {
    Await.until(
        documents + " documents", Duration.ofMinutes(2), () -> acknowledged.count() >= documents);
  }

  /** Waits for what is under way. */
  void finish() throws InterruptedException {
    for (Clients each : clients) {
      each.finish(Duration.ofMinutes(1));
    }
  }

  /** Bulks by what they were answered. */
  Map<String, Integer> answers() {
    Map<String, Integer> all = new TreeMap<>();
    clients.forEach(
        each -> each.answers().forEach((answer, count) -> all.merge(answer, count, Integer::sum)));
    return all;
  }

  /** Documents that were acknowledged and are not found. */
  long lost(JsonHttp http) {
    return acknowledged.lost(http);
  }

  /** How many bulks went which way. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "bulks %s, %,d documents acknowledged", answers(), acknowledged.count());
  }

  @Override
  public void close() throws InterruptedException {
    for (Clients each : clients) {
      each.close();
    }
  }
}
