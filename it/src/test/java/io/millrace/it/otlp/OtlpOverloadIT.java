package io.millrace.it.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node of 512 MB is sent four times as many log records in a second as it takes: none that was
 * acknowledged is lost, none is doubled, and none has to be given up.
 *
 * <p>First four exporters send as fast as the node answers, which is what it takes. Then batches
 * come at four times that rate, each from an exporter of its own, whether those before are
 * acknowledged or not. Every build does so with 20,000 records, to a node whose queue of writes is
 * so short that it refuses some; {@code -Dmillrace.otlp.overload=RECORDS} sends so many, and to a
 * node as it is delivered as well.
 */
class OtlpOverloadIT {
  private static final int RECORDS = Integer.getInteger("millrace.otlp.overload", 20_000);
  private static final int SIZE = 500;
  private static final int TIMES = 4;

  /** By command, a node as it is delivered as well. */
  static List<Boolean> shortQueues() {
    return Integer.getInteger("millrace.otlp.overload") == null
        ? List.of(true)
        : List.of(false, true);
  }

  @ParameterizedTest
  @MethodSource("shortQueues")
  void fourTimesWhatANodeTakes(boolean shortQueue) throws Exception {
    Cluster.Builder plan =
        Cluster.of(Tree.MILLRACE, 1)
            .optimized()
            .heap("512m")
            .set("millrace.pipelines.otlp.logs_index", "logs-overload");
    if (shortQueue) {
      plan.set("thread_pool.write.queue_size", "2")
          .set("millrace.pipelines.otlp.retry_within", "0s");
    }
    try (Cluster cluster = plan.start();
        Exporters exporters = new Exporters(cluster.node(0).port())) {
      int warmUp = Math.max(40, RECORDS / SIZE / 10);
      closedLoop(exporters, 0, warmUp); // compiles
      double rate = closedLoop(exporters, warmUp, 2 * warmUp);
      int first = 2 * warmUp;
      int batches = RECORDS / SIZE;
      long began = System.nanoTime();
      openLoop(exporters, first, first + batches, TIMES * rate);
      double seconds = (System.nanoTime() - began) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "%s: the node takes %,.0f records a second; %,d came at %,.0f and were taken in %.1f s;"
              + " answers %s, partial %s, given up %s%n",
          shortQueue ? "a queue of two writes" : "as delivered",
          rate,
          RECORDS,
          TIMES * rate,
          seconds,
          exporters.answers,
          exporters.partial,
          exporters.givenUp);
      assertEquals(0, exporters.givenUp.sum(), "answers " + exporters.answers);
      assertEquals(0, exporters.partial.sum());
      assertEquals(
          0,
          exporters.withoutPause.sum(),
          () -> "429 or 503 without Retry-After, the first: " + exporters.firstWithoutPause);
      assertEquals((long) (first + batches) * SIZE, exporters.acknowledged.sum());
      LogBatch.assertThereOnce(cluster.http(), "logs-overload", first + batches, SIZE);
      assertTrue(cluster.node(0).alive());
    }
  }

  private static LogBatch batch(int number) {
    return new LogBatch(number, (long) number * SIZE, SIZE, System.currentTimeMillis(), 2);
  }

  /** Records a second that four exporters get acknowledged. */
  private static double closedLoop(Exporters exporters, int from, int to) throws Exception {
    long began = System.nanoTime();
    export(exporters, from, to, Executors.newFixedThreadPool(4), Double.POSITIVE_INFINITY);
    return (to - from) * SIZE / ((System.nanoTime() - began) / 1e9);
  }

  private static void openLoop(Exporters exporters, int from, int to, double rate)
      throws Exception {
    export(exporters, from, to, Executors.newVirtualThreadPerTaskExecutor(), rate);
  }

  /** Hands batches to threads, so many records a second at most, and waits for all of them. */
  private static void export(
      Exporters exporters, int from, int to, ExecutorService executor, double rate)
      throws Exception {
    try (ExecutorService threads = executor) {
      List<Future<?>> all = new ArrayList<>();
      long began = System.nanoTime();
      for (int number = from; number < to; number++) {
        long due = began + (long) ((number - from) * (SIZE / rate) * 1e9);
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        LogBatch batch = batch(number);
        all.add(
            threads.submit(() -> {
              exporters.export(batch);
              return null;
            }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }
}
