package io.millrace.it.cluster;

import io.millrace.it.support.Lines;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Twenty series of indices that are written to all the time, the first most: their shares follow
 * Zipf's law with exponent 0.8, as in the simulator. Each index has one shard and a replica.
 */
final class SeriesLoad implements AutoCloseable {
  /** Names all of its indices. */
  static final String ALL = "series-*";

  private static final int SERIES = 20;

  /** Documents of a bulk, over all series. */
  private static final int BULK = 500;

  private static final Duration PACE = Duration.ofMillis(250);

  private final JsonHttp http;
  private final Thread thread = new Thread(this::run, "series");
  private final int[] shares = shares();
  private volatile int generation;
  private final AtomicLong sent = new AtomicLong();
  private volatile boolean ended;
  private volatile @Nullable Throwable failure;

  SeriesLoad(JsonHttp http) {
    this.http = http;
    thread.setDaemon(true);
  }

  private static int[] shares() {
    double[] weights = IntStream.range(0, SERIES).mapToDouble(i -> Math.pow(i + 1, -0.8)).toArray();
    double sum = IntStream.range(0, SERIES).mapToDouble(i -> weights[i]).sum();
    return IntStream.range(0, SERIES)
        .map(i -> (int) Math.max(1, Math.round(BULK * weights[i] / sum)))
        .toArray();
  }

  private static String index(int series, int generation) {
    return "series-" + (char) ('a' + series) + "-00000" + generation;
  }

  /** Makes the indices of a generation, one after the other; what is written goes there then. */
  void begin(int next) {
    for (int series = 0; series < SERIES; series++) {
      http.put(
              "/" + index(series, next),
              "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":1}}")
          .ok();
    }
    generation = next;
    if (!thread.isAlive()) {
      thread.start();
    }
  }

  private void run() {
    try {
      while (!ended) {
        long due = System.nanoTime() + PACE.toNanos();
        Lines.accepted(http.post("/_bulk", bulk()));
        sent.addAndGet(IntStream.of(shares).sum());
        Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
      }
    } catch (InterruptedException e) {
      return; // it leaves
    } catch (RuntimeException | AssertionError e) {
      failure = e;
    }
  }

  private String bulk() {
    StringBuilder body = new StringBuilder();
    for (int series = 0; series < SERIES; series++) {
      String action = "{\"index\":{\"_index\":\"" + index(series, generation) + "\"}}";
      body.append(Lines.bulk(0, shares[series], n -> action));
    }
    return body.toString();
  }

  /** Documents that were acknowledged. */
  long sent() {
    return sent.get();
  }

  /**
   * Waits for what is under way.
   *
   * @throws AssertionError when a bulk or a document of one was refused
   */
  void finish() throws InterruptedException {
    ended = true;
    thread.join(Duration.ofMinutes(1));
    if (failure != null) {
      throw new AssertionError("the writing ended", failure);
    }
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
  }
}
