package io.millrace.pipelines.otlp;

import io.millrace.pipelines.intake.ObjectBytes;
import org.opensearch.common.unit.TimeValue;

/** Times of the wire: nanoseconds since the epoch without a sign; 0 is none. */
final class Times {
  private static final long SECOND = TimeValue.timeValueSeconds(1).nanos();

  private Times() {}

  /** Writes a field as ISO 8601 in UTC, with as many digits as it has. */
  static void write(ObjectBytes out, ObjectBytes.Name name, long nanos) {
    out.name(name);
    out.time(Long.divideUnsigned(nanos, SECOND), Long.remainderUnsigned(nanos, SECOND));
  }

  /** Seconds since the epoch. */
  static long seconds(long nanos) {
    return Long.divideUnsigned(nanos, SECOND);
  }

  static long millis(long nanos) {
    return Long.divideUnsigned(nanos, 1_000_000);
  }
}
