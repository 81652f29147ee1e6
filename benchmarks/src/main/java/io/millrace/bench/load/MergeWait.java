package io.millrace.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.term.BenchFailure;
import java.util.concurrent.TimeUnit;

/** Waits for the merges of an index. */
public final class MergeWait {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(15);

  private MergeWait() {}

  /**
   * Returns once no merge runs, seen twice in a row: one merge may start the next.
   *
   * @throws BenchFailure when merges still run after 15 minutes
   */
  public static void quiet(NodeClient client, String index) {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    int idle = 0;
    while (idle < 2) {
      idle = merges(client, index).path("current").asInt() == 0 ? idle + 1 : 0;
      if (System.nanoTime() > deadline) {
        throw new BenchFailure("merges of " + index + " still run after 15 minutes");
      }
      pause();
    }
  }

  /** What the statistics of an index tell of its merges. */
  public static JsonNode merges(NodeClient client, String index) {
    return client.get("/" + index + "/_stats/merge").path("_all").path("primaries").path("merges");
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(300);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }
}
