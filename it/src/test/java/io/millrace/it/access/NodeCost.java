package io.millrace.it.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * What a node spends on requests of one client: the CPU time of its process divided by what was
 * asked. Every instance sends the same documents.
 */
final class NodeCost implements AutoCloseable {
  /** Of one part of a measurement. */
  static final int DOCUMENTS = 20_000;

  /** Of one part of a measurement. */
  static final int SEARCHES = 1_000;

  private static final int BULK = 500;

  private final String name;
  private final ClusterClient asked;
  private final ClusterClient manager;
  private final LongSupplier cpuNanos;
  private final Random random = new Random(7);

  /**
   * A node.
   *
   * @param asked whose requests are measured
   * @param manager may make indices
   * @param cpuNanos what the node's process has used
   */
  NodeCost(String name, ClusterClient asked, ClusterClient manager, LongSupplier cpuNanos) {
    this.name = name;
    this.asked = asked;
    this.manager = manager;
    this.cpuNanos = cpuNanos;
  }

  String name() {
    return name;
  }

  /** One primary and no copy each. */
  void makeIndices(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      must(
          manager,
          Request.json(
              "PUT",
              "/bench-" + i,
              "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0}}"));
    }
  }

  /** Microseconds of CPU for each of so many documents, 500 in a bulk, in ten indices. */
  double bulk(int documents) throws Exception {
    long before = cpuNanos.getAsLong();
    for (int sent = 0; sent < documents; sent += BULK) {
      byte[] lines = lines().getBytes(StandardCharsets.UTF_8);
      String path = "/bench-" + sent / BULK % 10 + "/_bulk";
      Answer answer = must(asked, Request.of("POST", path, lines, Request.NDJSON));
      if (answer.text().contains("\"errors\":true")) {
        throw new AssertionError(name + ": " + answer.excerpt());
      }
    }
    return (cpuNanos.getAsLong() - before) / 1e3 / documents;
  }

  private String lines() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < BULK; i++) {
      lines
          .append("{\"index\":{}}\n{\"message\":\"request ")
          .append(random.nextInt(1_000_000))
          .append(" of user ")
          .append(random.nextInt(10_000))
          .append(" took long\",\"took\":")
          .append(random.nextInt(5_000))
          .append("}\n");
    }
    return lines.toString();
  }

  /** Microseconds of CPU for each of so many searches of one index for one hit. */
  double search(int searches) throws Exception {
    long before = cpuNanos.getAsLong();
    for (int i = 0; i < searches; i++) {
      must(asked, Request.of("GET", "/bench-" + i % 10 + "/_search?size=1&filter_path=took"));
    }
    return (cpuNanos.getAsLong() - before) / 1e3 / searches;
  }

  /**
   * An answer of status 2xx.
   *
   * @throws AssertionError with another answer
   */
  static Answer must(ClusterClient client, Request request)
      throws NoAnswerException, InterruptedException {
    Answer answer = client.send(request);
    if (answer.status() / 100 != 2) {
      throw new AssertionError(request + ": " + answer.status() + " " + answer.excerpt());
    }
    return answer;
  }

  /** The same of a {@code GET} whose answer is one JSON value. */
  static JsonNode json(ClusterClient client, String path)
      throws NoAnswerException, InterruptedException {
    Answer answer = must(client, Request.of("GET", path));
    return Objects.requireNonNull(answer.json(), answer::excerpt);
  }

  @Override
  public void close() {
    asked.close();
    manager.close();
  }
}
