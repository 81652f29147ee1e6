package io.millrace.cli.ingest;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link BulkLoader} sends.
 *
 * @param index the target index, alias or data stream
 * @param pipeline ingest pipeline, or null
 * @param bulkBytes a bulk is sent when it reaches this size, bytes
 * @param bulkDocuments or this number of documents
 * @param workers bulks in flight at once
 * @param requestTimeout after this a bulk counts as unanswered
 * @param retryFor how long one bulk is tried before the run stops
 */
public record LoaderOptions(
    String index,
    @Nullable String pipeline,
    int bulkBytes,
    int bulkDocuments,
    int workers,
    Duration requestTimeout,
    Duration retryFor) {

  /** 4 MiB or 10,000 documents per bulk, two workers, 60 s per request, 5 minutes of retries. */
  public static LoaderOptions defaults(String index) {
    return new LoaderOptions(
        index, null, 4 << 20, 10_000, 2, Duration.ofSeconds(60), Duration.ofMinutes(5));
  }
}
