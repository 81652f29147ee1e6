package io.millrace.pipelines.otlp;

import io.millrace.pipelines.intake.ObjectBytes;
import java.io.IOException;

/** Writes what a record of one signal holds of its own as fields of a document. */
interface RecordWriter {
  /**
   * Writes the fields of a record into an open object.
   *
   * @param arrived nanoseconds since the epoch, for records without a time
   * @return the record's own time, nanoseconds since the epoch; 0 for a record that has none
   */
  long write(ObjectBytes out, Slice record, long arrived) throws IOException;

  /** The writer of a signal's records. */
  static RecordWriter of(Signal signal) {
    return switch (signal) {
      case LOGS -> new LogWriter();
      case TRACES -> new SpanWriter();
    };
  }
}
