package io.millrace.it.hostile;

import io.millrace.it.support.Percentile;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Asks for one hit again and again, and remembers how long each answer took. */
final class LightSearches implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  static final String SEARCH = "{\"size\":1,\"query\":{\"term\":{\"host\":\"host-1\"}}}";

  private final JsonHttp http;
  private final long pauseMillis;
  private final Thread thread = new Thread(this::run, "light-search");
  private final List<Double> seconds = new ArrayList<>();
  private long asked; // when the one under way was; 0 for none
  private int refused;
  private String odd = "";
  private volatile boolean ended;

  /** Twice a second. */
  LightSearches(int port) {
    this(port, 500);
  }

  /**
   * @param pauseMillis between an answer and the next search
   */
  LightSearches(int port, long pauseMillis) {
    this.pauseMillis = pauseMillis;
    http = new JsonHttp(URI.create("http://127.0.0.1:" + port), LIMIT);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!ended) {
        long began = System.nanoTime();
        underWay(began);
        boolean good = answered();
        took((System.nanoTime() - began) / 1e9, good);
        Thread.sleep(pauseMillis);
      }
    } catch (InterruptedException e) {
      return; // it leaves
    }
  }

  private boolean answered() {
    try {
      JsonAnswer answer = http.post("/" + Choices.INDEX + "/_search", SEARCH);
      if (answer.status() != 200) {
        odd(answer.status() + " " + answer.body());
      }
      return answer.status() == 200;
    } catch (UncheckedIOException e) {
      odd(e.toString());
      return false;
    }
  }

  private synchronized void odd(String why) {
    if (odd.isEmpty()) {
      odd = why.substring(0, Math.min(400, why.length()));
    }
  }

  /** The first answer that was not 200; empty when there was none. */
  synchronized String odd() {
    return odd;
  }

  private synchronized void underWay(long began) {
    asked = began;
  }

  private synchronized void took(double time, boolean good) {
    asked = 0;
    if (!ended) {
      seconds.add(time);
      refused += good ? 0 : 1;
    }
  }

  /** How many were asked, and how many of them not answered with 200. */
  synchronized int[] counts() {
    return new int[] {seconds.size(), refused};
  }

  /**
   * The time that so many percent of them took at most, in seconds; 0 without any. One that waits
   * for its answer counts with the time that it has waited.
   */
  synchronized double percentile(double percent) {
    List<Double> all = new ArrayList<>(seconds);
    if (asked != 0) {
      all.add((System.nanoTime() - asked) / 1e9);
    }
    return Percentile.of(all, percent);
  }

  @Override
  public synchronized String toString() {
    return seconds.isEmpty()
        ? "no light search"
        : String.format(
            Locale.ROOT,
            "%d light searches, %d not served, p99 %.2f s, longest %.2f s",
            seconds.size(),
            refused,
            percentile(99),
            percentile(100));
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    http.close();
    thread.interrupt();
    thread.join(5_000);
  }
}
