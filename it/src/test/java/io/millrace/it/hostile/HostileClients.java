package io.millrace.it.hostile;

import io.millrace.it.support.ClientThreads;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients that send one request after the other, each for so long as a patient one waits. They
 * remember what is under way, and of each kind of answer that nobody should get the first request.
 */
final class HostileClients implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String NONE = "no answer within 30 s";

  private final ClientThreads threads;
  private final Map<String, HostileRequest> underWay = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> answers = new TreeMap<>();
  private final Map<String, String> odd = new TreeMap<>();
  private volatile boolean ended;

  HostileClients(int port, int count, Supplier<HostileRequest> requests) {
    threads =
        new ClientThreads(
            "hostile", port, count, PATIENCE, Duration.ZERO, http -> send(http, requests.get()));
  }

  private void send(JsonHttp http, HostileRequest request) {
    String name = Thread.currentThread().getName();
    underWay.put(name, request);
    JsonAnswer answer = null;
    try {
      answer = http.send(request.method(), request.path(), request.body());
    } catch (UncheckedIOException e) {
      answer = null; // it is counted as such
    }
    underWay.remove(name);
    count(request, answer);
  }

  private synchronized void count(HostileRequest request, @Nullable JsonAnswer answer) {
    if (ended) {
      return;
    }
    answers.merge(answer == null ? 0 : answer.status(), 1, Integer::sum);
    if (answer == null) {
      odd.putIfAbsent(NONE + ", " + request.rule(), request.toString());
    } else if (answer.status() >= 500) {
      odd.putIfAbsent(
          answer.status() + " " + answer.json().at("/error/root_cause/0/type").asText("?"),
          request + " -> " + answer.body().substring(0, Math.min(400, answer.body().length())));
    }
  }

  /** What has no answer now. */
  List<HostileRequest> underWay() {
    return List.copyOf(underWay.values());
  }

  /** Answers by status; 0 for none. */
  synchronized Map<Integer, Integer> answers() {
    return new TreeMap<>(answers);
  }

  /** Answers that nobody should get, by kind, with the first request that got one. */
  synchronized Map<String, String> odd() {
    return new TreeMap<>(odd);
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    threads.close();
  }
}
