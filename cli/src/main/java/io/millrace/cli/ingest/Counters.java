package io.millrace.cli.ingest;

import java.util.concurrent.atomic.LongAdder;

/** What happened to the documents of one run. Thread-safe. */
public final class Counters {
  /** Documents taken from the input. */
  public final LongAdder read = new LongAdder();

  /** Documents the cluster acknowledged. */
  public final LongAdder indexed = new LongAdder();

  /** Documents the cluster already had under their id ({@code --exactly-once}). */
  public final LongAdder already = new LongAdder();

  /** Documents refused for good: by the cluster, or here before they were sent. */
  public final LongAdder refused = new LongAdder();

  /** Documents read but not acknowledged when the run stopped. */
  public final LongAdder unsent = new LongAdder();

  /** Documents sent again, each time counted. */
  public final LongAdder retried = new LongAdder();

  /**
   * Documents sent again after an answer was lost: the cluster may hold them twice. An upper bound;
   * always 0 for documents with an id of their own.
   */
  public final LongAdder maybeTwice = new LongAdder();

  /** Bytes of the documents taken from the input. */
  public final LongAdder bytes = new LongAdder();

  /** Bytes of the files as they are on disk, for the progress bar. */
  public final LongAdder rawBytes = new LongAdder();

  /** Lines with bytes that are not UTF-8; those bytes became U+FFFD. */
  public final LongAdder invalidUtf8 = new LongAdder();
}
