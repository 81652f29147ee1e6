package io.millrace.pipelines.streams;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One reading copy of a shard at one moment. Counts began when the copy was opened.
 *
 * @param lag records of the stream that it has not fetched; -1 where the stream does not say
 * @param fetchMillis how old the record was that it fetched last, or how long none came though some
 *     wait; 0 when none was left
 * @param queued records between fetching and indexing
 * @param queueMillis how long the oldest of them has waited
 * @param searchMillis how long the oldest indexed record has waited that no search finds
 * @param indexed records that are documents now
 * @param failed tries that failed, also those that were repeated
 * @param dropped records that were left out
 * @param consumerErrors errors of the stream's client, each of which stops the shard
 * @param pipelineRecords records that went through an ingest pipeline
 * @param pipelineMillis time that those took there
 */
record StreamFigures(
    String index,
    int shard,
    State state,
    long lag,
    long fetchMillis,
    long queued,
    long queueMillis,
    long searchMillis,
    long indexed,
    long failed,
    long dropped,
    long consumerErrors,
    long pipelineRecords,
    long pipelineMillis) {

  /** Whether it reads. */
  enum State {
    READING,
    /** Somebody asked for it ({@code _ingestion/_pause}). */
    PAUSED,
    /** Nobody asked for it: a record or the stream's client failed, or writes are blocked. */
    STOPPED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("index", index);
    report.put("shard", shard);
    report.put("state", state.word());
    report.put("lag", lag);
    report.put("fetch_in_millis", fetchMillis);
    report.put("queued", queued);
    report.put("queue_in_millis", queueMillis);
    report.put("search_in_millis", searchMillis);
    report.put("indexed", indexed);
    report.put("failed", failed);
    report.put("dropped", dropped);
    report.put("consumer_errors", consumerErrors);
    report.put("pipeline_records", pipelineRecords);
    report.put("pipeline_in_millis", pipelineMillis);
    return report;
  }
}
