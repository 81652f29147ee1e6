package io.millrace.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.stats.Series;
import io.millrace.bench.term.BenchFailure;
import io.millrace.bench.workload.BulkFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Sends the bodies of a {@link BulkFile} with a fixed number of workers, each sending its next body
 * when the last one was acknowledged (a closed loop: the server is saturated, and no queue of the
 * client's hides it). A 429 is sent again after a pause and counted.
 */
public final class BulkLoad {
  private static final byte[] NO_ERRORS = "\"errors\":false".getBytes(StandardCharsets.UTF_8);
  private static final int HEAD = 200; // took and errors stand first in a bulk answer
  private static final int ATTEMPTS = 50;

  private final NodeClient node;
  private final String index;
  private final BulkFile file;
  private final AtomicInteger next;
  private final int end;
  private final LongConsumer progress;
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong rejections = new AtomicLong();

  private BulkLoad(NodeClient node, String index, BulkFile file, int end, LongConsumer progress) {
    this.node = node;
    this.index = index;
    this.file = file;
    this.next = new AtomicInteger();
    this.end = end;
    this.progress = progress;
  }

  /**
   * What a load did.
   *
   * @param seconds wall time from the first request to the last acknowledgement
   * @param latencies of the bulks, in milliseconds
   * @param rejections bulks that were answered with 429 and sent again
   */
  public record Result(
      long documents, int bulks, double seconds, Series latencies, long rejections) {}

  /**
   * Sends the first {@code bulks} bodies to an index.
   *
   * @param progress told the number of acknowledged documents, from the workers' threads
   * @throws BenchFailure when the server refuses a document, with its reason
   */
  public static Result run(
      NodeClient node, String index, BulkFile file, int bulks, int workers, LongConsumer progress) {
    return new BulkLoad(node, index, file, bulks, progress).run(workers);
  }

  private Result run(int workers) {
    long start = System.nanoTime();
    List<Double> latencies = new ArrayList<>(end);
    try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
      List<Future<List<Double>>> running = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        running.add(pool.submit(this::work));
      }
      for (Future<List<Double>> worker : running) {
        latencies.addAll(worker.get());
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof BenchFailure failure
          ? failure
          : new BenchFailure("loading failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Result(acknowledged.get(), end, seconds, Series.of(latencies), rejections.get());
  }

  private List<Double> work() throws IOException, InterruptedException {
    List<Double> latencies = new ArrayList<>();
    for (int bulk = next.getAndIncrement(); bulk < end; bulk = next.getAndIncrement()) {
      byte[] body = file.body(bulk);
      long start = System.nanoTime();
      try {
        send(bulk, body);
      } catch (BenchFailure e) {
        next.set(end); // the other workers stop too
        throw e;
      }
      latencies.add((System.nanoTime() - start) / 1e6);
      progress.accept(acknowledged.addAndGet(file.documents(bulk, bulk + 1)));
    }
    return latencies;
  }

  private void send(int bulk, byte[] body) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      NodeClient.Answer answer =
          node.send("POST", "/" + index + "/_bulk", body, "application/x-ndjson");
      if (answer.status() == 200 && clean(answer.body())) {
        return;
      }
      boolean rejected = answer.status() == 429 || allRejected(answer);
      if (!rejected || attempt == ATTEMPTS) {
        throw new BenchFailure("bulk " + bulk + " was refused: " + firstError(answer));
      }
      rejections.incrementAndGet();
      TimeUnit.MILLISECONDS.sleep(Math.min(2000, 50L * attempt));
    }
  }

  /** Looks at the head of the answer only: parsing every answer would cost more than sending. */
  static boolean clean(byte[] body) {
    int limit = Math.min(HEAD, body.length) - NO_ERRORS.length;
    for (int i = 0; i <= limit; i++) {
      int k = 0;
      while (k < NO_ERRORS.length && body[i + k] == NO_ERRORS[k]) {
        k++;
      }
      if (k == NO_ERRORS.length) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether every item was rejected for load: only then may the whole body be sent again without
   * writing documents twice.
   */
  private static boolean allRejected(NodeClient.Answer answer) {
    if (answer.status() != 200) {
      return false;
    }
    for (JsonNode item : answer.json().path("items")) {
      if (item.path("index").path("status").asInt() != 429) {
        return false;
      }
    }
    return true;
  }

  private static String firstError(NodeClient.Answer answer) {
    JsonNode json = answer.json();
    for (JsonNode item : json.path("items")) {
      JsonNode error = item.path("index").path("error");
      if (!error.isMissingNode()) {
        return error.toString();
      }
    }
    return answer.status() + " " + NodeClient.reason(json);
  }
}
