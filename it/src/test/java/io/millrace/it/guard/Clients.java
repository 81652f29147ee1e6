package io.millrace.it.guard;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.ClientThreads;
import io.millrace.it.support.Percentile;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that send requests of one kind, each the next when the last was answered and the pace
 * allows, until they are closed. They count answers by status and take the time of the good ones.
 */
public final class Clients implements Visitors {
  private static final String LINE = "a line of a log as long as lines are ".repeat(10);

  /** After a refusal, or when no answer came. */
  private static final long PAUSE_MILLIS = 100;

  private final ClientThreads threads;
  private final Map<String, Integer> answers = new TreeMap<>();
  private final List<Double> seconds = new ArrayList<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private long documents;
  private long refusedDocuments;
  private volatile boolean ended;

  /** One request of a client. */
  private interface Request {
    /** Returns whether it was done. */
    boolean send(Clients clients, JsonHttp http);
  }

  private Clients(int port, int count, long paceMillis, Request request) {
    threads =
        new ClientThreads(
            "client",
            port,
            count,
            Duration.ofMinutes(2),
            Duration.ofMillis(paceMillis), // those that pace themselves do not all come at once
            http -> send(http, paceMillis, request));
  }

  private void send(JsonHttp http, long paceMillis, Request request) throws InterruptedException {
    long due = System.nanoTime() + paceMillis * 1_000_000;
    underWay.incrementAndGet();
    long pause = request.send(this, http) ? 0 : PAUSE_MILLIS;
    underWay.decrementAndGet();
    Thread.sleep(Math.max(pause, (due - System.nanoTime()) / 1_000_000));
  }

  /** Clients that send this search. */
  static Clients searching(int port, int count, String path, String body) {
    return new Clients(port, count, 0, (clients, http) -> clients.search(http, path, body));
  }

  /**
   * Clients that write bulks.
   *
   * @param size documents of a bulk, about 0.4 KB each
   * @param paceMillis from the start of a bulk to that of the next, at least
   */
  public static Clients writing(
      int port, int count, int size, long paceMillis, Acknowledgements acknowledged) {
    String lines =
        ("{\"index\":{}}\n{\"" + Acknowledgements.FIELD + "\":#,\"m\":\"" + LINE + "\"}\n")
            .repeat(size);
    return new Clients(
        port, count, paceMillis, (clients, http) -> clients.write(http, lines, size, acknowledged));
  }

  private boolean search(JsonHttp http, String path, String body) {
    long began = System.nanoTime();
    try {
      JsonAnswer answer = http.post(path, body);
      return answered("" + answer.status(), began, 0, 0, answer.status() == 200);
    } catch (UncheckedIOException e) {
      return unanswered();
    }
  }

  private boolean write(JsonHttp http, String lines, int size, Acknowledgements acknowledged) {
    int bulk = acknowledged.next();
    String body = lines.replace("#", "" + bulk);
    long began = System.nanoTime();
    try {
      JsonAnswer answer =
          http.post("/" + acknowledged.index() + "/_bulk?filter_path=errors,items.*.status", body);
      if (answer.status() != 200) {
        return answered("" + answer.status(), began, 0, size, false);
      }
      int failed = 0;
      if (answer.at("/errors").asBoolean()) {
        for (JsonNode item : answer.at("/items")) {
          failed += item.at("/index/status").asInt() >= 300 ? 1 : 0;
        }
      }
      acknowledged.add(bulk, size - failed);
      return answered(
          failed == 0 ? "200" : "200 with errors", began, size - failed, failed, failed < size);
    } catch (UncheckedIOException | AssertionError e) {
      return unanswered();
    }
  }

  private synchronized boolean answered(
      String status, long began, int kept, int refused, boolean good) {
    answers.merge(status, 1, Integer::sum);
    documents += kept;
    refusedDocuments += refused;
    if (good) {
      seconds.add((System.nanoTime() - began) / 1e9);
    }
    return good && refused == 0;
  }

  private synchronized boolean unanswered() {
    if (!ended) {
      answers.merge("no answer", 1, Integer::sum);
    }
    return false;
  }

  @Override
  public synchronized Map<String, Integer> answers() {
    Map<String, Integer> all = new TreeMap<>(answers);
    if (underWay.get() > 0) {
      all.put("under way", underWay.get());
    }
    return all;
  }

  /** Requests that were done, at least in part. */
  synchronized int done() {
    return seconds.size();
  }

  /** Documents that were acknowledged. */
  synchronized long documents() {
    return documents;
  }

  /** Documents that were refused. */
  synchronized long refusedDocuments() {
    return refusedDocuments;
  }

  /** The time that 99 of 100 of them took at most, in seconds; 0 without any. */
  synchronized double p99() {
    return Percentile.of(seconds, 99);
  }

  /** Waits for what is under way, at most so long, then leaves. */
  public void finish(Duration limit) throws InterruptedException {
    ended = true;
    threads.finish(limit);
  }

  /** Leaves at once: connections are cut, what is under way is not waited for. */
  @Override
  public void close() throws InterruptedException {
    ended = true;
    threads.close();
  }
}
