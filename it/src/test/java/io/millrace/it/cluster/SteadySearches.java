package io.millrace.it.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Answer;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.it.support.Percentile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One search after the other at the nodes of a cluster in turn, as a client that knows all of them:
 * a node that gives no answer is passed over, and the time of that counts.
 */
final class SteadySearches implements AutoCloseable {
  private static final long PAUSE_MILLIS = 20;
  private static final String BODY =
      "{\"size\":10,\"query\":{\"term\":{\"host.keyword\":\"host-3\"}},"
          + "\"aggs\":{\"levels\":{\"terms\":{\"field\":\"level.keyword\"}}}}";

  private final ClusterClient client;
  private final String path;
  private final Thread thread = new Thread(this::run, "searches");
  private List<Double> millis = new ArrayList<>();
  private List<String> failures = new ArrayList<>();
  private volatile boolean ended;

  /** The searches of some time: how long each took in milliseconds, and what failed. */
  record Span(List<Double> millis, List<String> failures) {
    double p99() {
      return Percentile.of(millis, 99);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d searches, %d failed, median %.0f ms, p99 %.0f ms, longest %.0f ms",
          millis.size(),
          failures.size(),
          Percentile.of(millis, 50),
          p99(),
          Percentile.of(millis, 100));
    }
  }

  SteadySearches(List<String> urls, String index) {
    client =
        new ClusterClient(
            ClientOptions.of(urls).timeouts(Duration.ofSeconds(1), Duration.ofSeconds(30)));
    path = "/" + index + "/_search";
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!ended) {
        long begun = System.nanoTime();
        String failure = ask();
        took((System.nanoTime() - begun) / 1e6, failure);
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      return; // it leaves
    }
  }

  /** What went wrong; empty when all shards have answered. */
  private String ask() {
    try {
      Answer answer = client.call("POST", path, BODY);
      JsonNode json = answer.json();
      boolean good =
          answer.status() == 200
              && json != null
              && json.path("_shards").path("failed").asInt() == 0;
      return good ? "" : answer.status() + " " + answer.excerpt();
    } catch (ExpectedFailure e) {
      return e.getMessage() + "";
    }
  }

  private synchronized void took(double time, String failure) {
    if (!ended) {
      millis.add(time);
      if (!failure.isEmpty()) {
        failures.add(failure);
      }
    }
  }

  /** What was asked since the last call. */
  synchronized Span next() {
    Span span = new Span(millis, failures);
    millis = new ArrayList<>();
    failures = new ArrayList<>();
    return span;
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    client.close();
    thread.interrupt();
    thread.join(5_000);
  }
}
