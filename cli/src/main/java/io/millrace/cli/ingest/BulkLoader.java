package io.millrace.cli.ingest;

import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends documents in bulks from a few workers, and keeps at it until each document is acknowledged
 * or refused for good.
 *
 * <p>Memory: {@code 2 * workers + 1} batches exist; a reader that is faster than the cluster waits
 * for a free one.
 *
 * <p>Retries: only the items that failed for a passing reason (429, 502, 503, 504, a cluster block)
 * are sent again, after a pause that doubles up to 10 s with half of it random. A bulk without an
 * answer is sent again as a whole, to the next address. It may have been carried out: with ids of
 * their own ({@code create} and a 409 means "is there") its documents stay single, without them
 * they are counted in {@link Counters#maybeTwice}. A bulk that stays unsuccessful for {@link
 * LoaderOptions#retryFor} stops the run; nothing is dropped silently.
 */
public final class BulkLoader implements AutoCloseable {
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;
  private static final String FILTER = "filter_path=errors,items.*.status,items.*.error";

  private final ClusterClient cluster;
  private final LoaderOptions options;
  private final Counters counters;
  private final DeadLetters refused;
  private final PrintWriter err;
  private final boolean ownIds;
  private final String path;
  private final BlockingQueue<BulkBatch> free;
  private final BlockingQueue<BulkBatch> full;
  private final List<Thread> workers = new ArrayList<>();
  private final AtomicReference<@Nullable ExpectedFailure> fatal = new AtomicReference<>();
  private final AtomicBoolean toldBlocked = new AtomicBoolean();
  private volatile boolean closing;
  private @Nullable BulkBatch filling;

  /**
   * @param ownIds whether every document carries an id of its own
   */
  BulkLoader(
      ClusterClient cluster,
      LoaderOptions options,
      Counters counters,
      DeadLetters refused,
      PrintWriter err,
      boolean ownIds) {
    this.cluster = cluster;
    this.options = options;
    this.counters = counters;
    this.refused = refused;
    this.err = err;
    this.ownIds = ownIds;
    String pipeline =
        options.pipeline() == null
            ? ""
            : "&pipeline=" + URLEncoder.encode(options.pipeline(), StandardCharsets.UTF_8);
    path =
        "/"
            + URLEncoder.encode(options.index(), StandardCharsets.UTF_8)
            + "/_bulk?"
            + FILTER
            + pipeline;
    int batches = 2 * options.workers() + 1;
    free = new ArrayBlockingQueue<>(batches);
    full = new ArrayBlockingQueue<>(batches);
    for (int i = 0; i < batches; i++) {
      free.add(new BulkBatch(options.bulkBytes()));
    }
    for (int i = 0; i < options.workers(); i++) {
      workers.add(Thread.ofPlatform().daemon().name("bulk-" + i).start(this::work));
    }
  }

  /**
   * Writes one item into a batch: {@code begin}, action line, {@code document}, document, {@code
   * end}.
   */
  @FunctionalInterface
  interface ItemWriter {
    /** The caller has begun the item and ends it. */
    void write(BulkBatch batch);
  }

  /**
   * Takes a document; waits while all batches are full.
   *
   * @throws ExpectedFailure when the run has stopped
   */
  synchronized void add(String origin, long line, ItemWriter writer) {
    BulkBatch batch = filling;
    if (batch == null) {
      batch = take();
      filling = batch;
    }
    batch.begin(origin, line);
    int before = batch.bytes();
    writer.write(batch);
    batch.end();
    counters.read.increment();
    counters.bytes.add(batch.bytes() - before);
    if (batch.bytes() >= options.bulkBytes() || batch.items() >= options.bulkDocuments()) {
      flush();
    }
  }

  private BulkBatch take() {
    try {
      while (true) {
        stopIfFatal();
        BulkBatch batch = free.poll(200, TimeUnit.MILLISECONDS);
        if (batch != null) {
          return batch;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExpectedFailure(ExitCode.INTERRUPTED, "interrupted", null);
    }
  }

  private void stopIfFatal() {
    ExpectedFailure failure = fatal.get();
    if (failure != null) {
      throw failure;
    }
  }

  /** Sends what has been collected, even if the bulk is small. */
  synchronized void flush() {
    BulkBatch batch = filling;
    filling = null;
    if (batch != null && batch.items() > 0) {
      full.add(batch); // as many places as batches: never full
    } else if (batch != null) {
      free.add(batch);
    }
  }

  /** Refuses a document before it was sent. */
  void refuse(String origin, long line, String type, String reason, String document) {
    counters.read.increment();
    counters.refused.increment();
    refused.add(origin, line, type, reason, document);
  }

  private void work() {
    try {
      while (true) {
        BulkBatch batch = full.poll(50, TimeUnit.MILLISECONDS);
        if (batch != null) {
          try {
            deliver(batch);
          } catch (RuntimeException e) {
            giveUp(batch, new ExpectedFailure(ExitCode.FAILED, "unexpected: " + e, null, e));
          }
          batch.clear();
          free.add(batch);
        } else if (closing) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ExpectedFailure failure = fatal.get();
      for (BulkBatch left = full.poll(); left != null && failure != null; left = full.poll()) {
        giveUp(left, failure);
      }
    }
  }

  /**
   * Ends the run soon: what is under way has this long to be acknowledged, then it counts as not
   * acknowledged.
   */
  void hurry(Duration grace) {
    Thread.ofPlatform()
        .daemon()
        .name("hurry")
        .start(() -> {
          try {
            Thread.sleep(grace);
          } catch (InterruptedException e) {
            return;
          }
          fatal.compareAndSet(null, interrupted());
          workers.forEach(Thread::interrupt);
        });
  }

  private static ExpectedFailure interrupted() {
    return new ExpectedFailure(
        ExitCode.INTERRUPTED,
        "interrupted before the cluster had acknowledged everything that was read",
        null);
  }

  /** Sends a batch until nothing of it is open. */
  private void deliver(BulkBatch first) {
    BulkBatch batch = first;
    long deadline = System.nanoTime() + options.retryFor().toNanos();
    for (int attempt = 0; batch.items() > 0; attempt++) {
      ExpectedFailure failure = fatal.get();
      if (failure != null) {
        giveUp(batch, failure);
        return;
      }
      if (attempt > 0) {
        counters.retried.add(batch.items());
      }
      String problem;
      boolean nextAddress = false;
      try {
        byte[] body = batch.body().array();
        Answer answer =
            cluster.send(
                new Request(
                    "POST", path, body, batch.bytes(), Request.NDJSON, options.requestTimeout()));
        Outcome outcome = settle(batch, answer);
        batch = outcome.open;
        problem = outcome.problem;
      } catch (NoAnswerException e) {
        problem = String.valueOf(e.getMessage());
        nextAddress = attempt + 1 < cluster.size();
        if (e.ambiguous() && !ownIds) {
          counters.maybeTwice.add(batch.items());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        giveUp(batch, interrupted());
        return;
      }
      if (batch.items() > 0) {
        if (System.nanoTime() - deadline > 0) {
          giveUp(
              batch,
              new ExpectedFailure(
                  ExitCode.CLUSTER,
                  "gave up after " + options.retryFor().toSeconds() + " s: " + problem,
                  "Repair the cluster, then ingest again (with --exactly-once nothing comes in"
                      + " twice)."));
          return;
        }
        if (!nextAddress && !pause(attempt)) {
          giveUp(batch, interrupted());
          return;
        }
      }
    }
  }

  /** False when the run is being interrupted. */
  private boolean pause(int attempt) {
    long longest = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempt, 10));
    long half = longest / 2;
    long pause = half + ThreadLocalRandom.current().nextLong(half + 1);
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause);
    while (fatal.get() == null && until - System.nanoTime() > 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(Math.min(50, pause));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /**
   * What an answer leaves.
   *
   * @param open the items to send again
   * @param problem why
   */
  private record Outcome(BulkBatch open, String problem) {}

  private Outcome settle(BulkBatch batch, Answer answer) {
    int status = answer.status();
    if (status == 200) {
      return items(batch, answer);
    }
    String problem = "HTTP " + status + ": " + answer.reason();
    boolean blocked = new String(answer.body(), StandardCharsets.UTF_8).contains("cluster_block");
    if (blocked) {
      tellBlocked(problem);
    }
    if (status == 429 || status == 502 || status == 503 || status == 504 || blocked) {
      if ((status == 502 || status == 504) && !ownIds) {
        counters.maybeTwice.add(batch.items()); // a proxy's answer: the node may have done it
      }
      return new Outcome(batch, problem);
    }
    if (status == 401 || status == 403) {
      fatal.compareAndSet(
          null,
          new ExpectedFailure(
              ExitCode.CLUSTER,
              "the cluster refuses the bulk: " + problem,
              "Give --user NAME:PASSWORD of a user who may write to " + options.index() + "."));
      return new Outcome(batch, problem);
    }
    if (batch.items() == 1) {
      refuse(batch, 0, "http_" + status, answer.reason());
    } else { // one bad item fails the whole bulk: halve until it stands alone
      int half = batch.items() / 2;
      deliver(batch.slice(0, half));
      deliver(batch.slice(half, batch.items()));
    }
    return new Outcome(new BulkBatch(16), problem);
  }

  private Outcome items(BulkBatch batch, Answer answer) {
    List<BulkAnswer.Item> items;
    try {
      items = BulkAnswer.parse(answer.body());
    } catch (IOException e) {
      items = List.of();
    }
    if (items.size() != batch.items()) {
      if (!ownIds) {
        counters.maybeTwice.add(batch.items());
      }
      return new Outcome(batch, "the answer is not a bulk answer: " + answer.excerpt());
    }
    BulkBatch again = new BulkBatch(16);
    String problem = "";
    long done = 0;
    for (int i = 0; i < items.size(); i++) {
      BulkAnswer.Item item = items.get(i);
      if (item.done()) {
        done++;
      } else if (item.status() == 409 && (ownIds || !batch.namesId(i))) {
        // an id that the server made a moment ago can only be taken by the same document: the
        // shard's primary died after writing it and the coordinating node sent it again
        counters.already.increment();
      } else if (item.temporary()) {
        batch.copy(i, again);
        problem = item.type() + ": " + item.reason();
        if ("cluster_block_exception".equals(item.type())) {
          tellBlocked(problem);
        }
      } else {
        refuse(batch, i, String.valueOf(item.type()), String.valueOf(item.reason()));
      }
    }
    counters.indexed.add(done);
    return new Outcome(again, problem);
  }

  private void tellBlocked(String problem) {
    if (toldBlocked.compareAndSet(false, true)) {
      boolean full = problem.contains("flood") || problem.contains("read-only / allow delete");
      err.println(
          (full
                  ? "warning: a node's disk is full, the index takes no writes ("
                  : "warning: the cluster blocks writes (")
              + problem
              + "); "
              + (full ? "free space there; " : "")
              + "trying again for "
              + options.retryFor().toSeconds()
              + " s");
      err.flush();
    }
  }

  private void refuse(BulkBatch batch, int item, String type, String reason) {
    counters.refused.increment();
    refused.add(batch.origin(item), batch.line(item), type, reason, batch.document(item));
  }

  /** Stops the run; the documents that were read and not acknowledged go to the dead letters. */
  private void giveUp(BulkBatch batch, ExpectedFailure failure) {
    fatal.compareAndSet(null, failure);
    counters.unsent.add(batch.items());
    for (int i = 0; i < batch.items(); i++) {
      String reason = String.valueOf(failure.getMessage());
      refused.keep(batch.origin(i), batch.line(i), "not_acknowledged", reason, batch.document(i));
    }
  }

  /** Why the run stopped, or null. */
  @Nullable ExpectedFailure failure() {
    return fatal.get();
  }

  /** Sends the rest and waits until every document is settled; bounded by the retry time. */
  @Override
  public void close() {
    flush();
    closing = true;
    for (Thread worker : workers) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
