package io.millrace.cli.ingest;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

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

  /** Lines with bytes that are not UTF-8; those bytes were read as Windows-1252. */
  public final LongAdder invalidUtf8 = new LongAdder();

  /** Plain lines without a time of their own that took the one of the line before. */
  public final LongAdder neighbourTime = new LongAdder();

  /** JSON documents in which no time was found; they were sent as they are. */
  public final LongAdder timelessJson = new LongAdder();

  /** JSON documents with a time: events, as the lines of a log are. */
  public final LongAdder timedJson = new LongAdder();

  /** Times with a clock only, whose day is a guess. */
  public final LongAdder dateGuessed = new LongAdder();

  /** Lines that name columns or describe the file, and are no documents. */
  public final LongAdder headers = new LongAdder();

  /** Plain lines that got the time of arrival: no line so far had a time that could be read. */
  public final LongAdder arrivalTime = new LongAdder();

  private final AtomicReference<@Nullable String> timelessLine = new AtomicReference<>();

  /** Counts a line that gets the time of arrival, and keeps the first as an example. */
  void timeless(CharSequence line) {
    arrivalTime.increment();
    if (timelessLine.get() == null) {
      timelessLine.compareAndSet(null, line.subSequence(0, Math.min(80, line.length())).toString());
    }
  }

  /** The first line that got the time of arrival, 80 characters at most, or null. */
  public @Nullable String timelessLine() {
    return timelessLine.get();
  }
}
