package io.millrace.pipelines.otlp;

import io.millrace.pipelines.intake.IsoTime;
import org.opensearch.common.unit.TimeValue;

/** Times of the wire: nanoseconds since the epoch without a sign; 0 is none. */
final class Times {
  private static final long SECOND = TimeValue.timeValueSeconds(1).nanos();

  private Times() {}

  /** As ISO 8601 in UTC, with as many digits as it has. */
  static String iso(long nanos) {
    return IsoTime.of(Long.divideUnsigned(nanos, SECOND), Long.remainderUnsigned(nanos, SECOND));
  }

  static long millis(long nanos) {
    return Long.divideUnsigned(nanos, 1_000_000);
  }
}
