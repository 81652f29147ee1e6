package io.millrace.cli.ingest;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One run from the first byte read to the summary. Its end is reached by whoever gets there first:
 * the readers, or Ctrl-C while they wait; in both cases what was read is sent before.
 */
final class IngestRun {
  private final InputReaders readers;
  private final TargetIndex target;
  private final BulkLoader loader;
  private final DeadLetters refused;
  private final Counters counters;
  private final @Nullable Progress progress;
  private final Report report;
  private final long started = System.nanoTime();
  private final CountDownLatch done = new CountDownLatch(1);
  private final AtomicBoolean ending = new AtomicBoolean();
  private volatile int code;

  /**
   * How the end is told.
   *
   * @param index the name in the summary
   * @param json whether the summary is one JSON object
   */
  record Report(PrintWriter out, PrintWriter err, String index, boolean json) {}

  IngestRun(
      InputReaders readers,
      TargetIndex target,
      BulkLoader loader,
      DeadLetters refused,
      Counters counters,
      @Nullable Progress progress,
      Report report) {
    this.readers = readers;
    this.target = target;
    this.loader = loader;
    this.refused = refused;
    this.counters = counters;
    this.progress = progress;
    this.report = report;
  }

  /**
   * Reads all inputs and sends what they hold.
   *
   * @return the exit code
   */
  int run(List<Input> inputs) {
    Thread hook = Thread.ofPlatform().unstarted(this::interrupted);
    Runtime.getRuntime().addShutdownHook(hook);
    int result = finish(readers.readAll(inputs));
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return ExitCode.INTERRUPTED; // the hook is running: Ctrl-C
    }
    return result;
  }

  /** In the shutdown hook: half a second for the readers to notice, then without them. */
  private void interrupted() {
    readers.stop();
    try {
      loader.hurry(Duration.ofSeconds(10));
      if (!done.await(500, TimeUnit.MILLISECONDS)) {
        finish(null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int finish(@Nullable ExpectedFailure inputFailure) {
    if (!ending.compareAndSet(false, true)) {
      try {
        done.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return code;
    }
    loader.close();
    refused.close();
    if (progress != null) {
      progress.close();
    }
    ExpectedFailure failure = loader.failure() == null ? inputFailure : loader.failure();
    if (failure == null && counters.indexed.sum() > 0) {
      target.refresh();
    }
    print(failure);
    String hint = counters.timedJson.sum() > 0 && failure == null ? target.hint() : null;
    if (hint != null) {
      report.err().println("note: " + hint);
      report.err().flush();
    }
    if (failure != null) {
      code = failure.exitCode();
    } else {
      code = counters.refused.sum() > 0 ? ExitCode.FAILED : ExitCode.OK;
    }
    done.countDown();
    return code;
  }

  private void print(@Nullable ExpectedFailure failure) {
    PrintWriter err = report.err();
    if (failure != null) {
      print(err, failure);
      for (Throwable other : failure.getSuppressed()) {
        if (other instanceof ExpectedFailure further) {
          print(err, further);
        }
      }
    }
    if (refused.written() > 0) {
      err.println(refused.written() + " documents with their reasons: " + refused.file());
    }
    if (counters.maybeTwice.sum() > 0) {
      err.println(
          "answers were lost: up to "
              + counters.maybeTwice.sum()
              + " documents may be indexed twice (--exactly-once avoids that)");
    }
    err.flush();
    double seconds = (System.nanoTime() - started) / 1e9;
    report
        .out()
        .println(
            report.json()
                ? Summary.json(counters, report.index(), seconds)
                : Summary.text(counters, report.index(), seconds));
    report.out().flush();
  }

  private static void print(PrintWriter err, ExpectedFailure failure) {
    err.println("error: " + failure.getMessage());
    if (failure.remedy() != null) {
      err.println("  " + failure.remedy());
    }
  }
}
