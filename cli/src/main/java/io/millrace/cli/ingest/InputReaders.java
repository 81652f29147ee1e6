package io.millrace.cli.ingest;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads the inputs of one run into a {@link BulkLoader}: one after the other, or, when they are
 * followed, each in a thread of its own. The first failure counts; the other inputs are read on.
 */
final class InputReaders {
  private final BulkLoader loader;
  private final ReaderOptions options;
  private final Counters counters;
  private final TargetIndex target;
  private final boolean follow;
  private final boolean fromEnd;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicReference<@Nullable ExpectedFailure> failure = new AtomicReference<>();

  /**
   * @param follow whether to wait for more at the end of each file
   * @param fromEnd whether what followed files hold now is skipped
   */
  InputReaders(
      BulkLoader loader,
      ReaderOptions options,
      Counters counters,
      TargetIndex target,
      boolean follow,
      boolean fromEnd) {
    this.loader = loader;
    this.options = options;
    this.counters = counters;
    this.target = target;
    this.follow = follow;
    this.fromEnd = fromEnd;
  }

  /** Ends reading soon, from another thread. */
  void stop() {
    stop.set(true);
  }

  /** Counts a failure: the first one is that of the run, the others are told beside it. */
  void fail(ExpectedFailure next) {
    if (!failure.compareAndSet(null, next)) {
      ExpectedFailure first = failure.get();
      if (first != null) {
        first.addSuppressed(next);
      }
    }
  }

  /** Returns when all is read, with the first failure. */
  @Nullable ExpectedFailure readAll(List<Input> inputs) {
    if (follow) {
      followAll(inputs);
    } else {
      for (Input input : inputs) {
        if (!ended()) {
          read(input);
        }
      }
    }
    return failure.get();
  }

  private boolean ended() {
    return stop.get() || loader.failure() != null;
  }

  private void followAll(List<Input> inputs) {
    List<Thread> threads = new ArrayList<>();
    for (Input input : inputs) {
      threads.add(Thread.ofPlatform().name("follow " + input.name()).start(() -> read(input)));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        stop();
        Thread.currentThread().interrupt();
      }
    }
  }

  private void read(Input input) {
    InputReader reader =
        new InputReader(
            loader,
            options,
            counters,
            target::createForLines,
            System::currentTimeMillis,
            this::ended);
    try (InputStream in =
        follow ? input.follow(fromEnd, stop::get) : input.open(counters.rawBytes)) {
      reader.read(input, in);
    } catch (ExpectedFailure e) {
      fail(e);
    } catch (IOException e) {
      fail(
          new ExpectedFailure(
              ExitCode.INPUT, input.name() + " cannot be read: " + e.getMessage(), null, e));
    }
  }
}
