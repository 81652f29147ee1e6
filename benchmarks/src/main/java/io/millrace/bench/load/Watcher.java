package io.millrace.bench.load;

import io.millrace.bench.json.BenchJson;
import io.millrace.bench.term.BenchFailure;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Searches an index at a steady rate while it is loaded, as a dashboard does. Without it a load
 * measures a special case: a shard nobody searches skips its refreshes (index.search.idle.after).
 */
public final class Watcher implements AutoCloseable {
  private static final byte[] NEWEST =
      BenchJson.bytes(Map.of("size", 10, "query", Map.of("match_all", Map.of())));

  private final @Nullable ScheduledExecutorService timer;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

  private Watcher(@Nullable ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /** Starts searching; a rate of 0 starts nothing. */
  public static Watcher start(NodeClient node, String index, int perSecond) {
    if (perSecond == 0) {
      return new Watcher(null);
    }
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(task -> {
          Thread thread = new Thread(task, "bench-watcher");
          thread.setDaemon(true);
          return thread;
        });
    Watcher watcher = new Watcher(timer);
    long period = 1_000_000 / perSecond;
    var unused =
        timer.scheduleAtFixedRate(
            () -> watcher.search(node, index), 0, period, TimeUnit.MICROSECONDS);
    return watcher;
  }

  private void search(NodeClient node, String index) {
    NodeClient.Answer answer =
        node.send("POST", "/" + index + "/_search", NEWEST, "application/json");
    if (answer.status() != 200) {
      failure.compareAndSet(null, "a search during the load answered " + answer.status());
    }
  }

  /**
   * Ends the searches.
   *
   * @throws BenchFailure when one of them failed
   */
  public void check() {
    close();
    String reason = failure.get();
    if (reason != null) {
      throw new BenchFailure(reason);
    }
  }

  @Override
  public void close() {
    if (timer != null) {
      timer.shutdownNow();
    }
  }
}
