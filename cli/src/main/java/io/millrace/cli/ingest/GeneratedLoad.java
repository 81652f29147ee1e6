package io.millrace.cli.ingest;

import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.corpus.DocumentSource;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Loads generated documents through the same {@link BulkLoader} that {@code ingest} uses, for the
 * demo: one way into the cluster, so that its promises are shown, not imitated.
 */
public final class GeneratedLoad {
  private static final byte[] CREATE = "{\"create\":{}}\n".getBytes(StandardCharsets.US_ASCII);

  /**
   * What a load did.
   *
   * @param counters counts of documents
   * @param seconds wall-clock time
   */
  public record Result(Counters counters, double seconds) {
    /** The same line as {@code ingest} prints. */
    public String summary(String index) {
      return Summary.text(counters, index, seconds);
    }
  }

  private GeneratedLoad() {}

  /**
   * Loads until either bound is reached.
   *
   * @param documents most documents
   * @param maxSeconds longest time spent on reading, seconds
   * @throws ExpectedFailure when the cluster stopped taking documents
   */
  public static Result run(
      ClusterClient cluster,
      LoaderOptions options,
      DocumentSource source,
      long documents,
      int maxSeconds,
      PrintWriter err) {
    Counters counters = new Counters();
    long started = System.nanoTime();
    long deadline = started + TimeUnit.SECONDS.toNanos(maxSeconds);
    DeadLetters refused = new DeadLetters(Path.of("millrace-refused-demo.ndjson"), err);
    BulkLoader loader = new BulkLoader(cluster, options, counters, refused, err, false);
    try (Progress progress =
        new Progress(
            err,
            Progress.onTerminal(),
            counters,
            () -> (double) counters.indexed.sum() / documents)) {
      for (long i = 1; i <= documents && System.nanoTime() - deadline < 0; i++) {
        loader.add(
            "generator",
            i,
            batch -> {
              batch.body().raw(CREATE);
              batch.document();
              source.next(batch.body());
              batch.body().raw('\n');
            });
      }
    } finally {
      loader.close();
      refused.close();
    }
    ExpectedFailure failure = loader.failure();
    if (failure != null) {
      throw failure;
    }
    return new Result(counters, (System.nanoTime() - started) / 1e9);
  }
}
