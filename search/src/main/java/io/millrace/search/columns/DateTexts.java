package io.millrace.search.columns;

import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.time.DateFormatter;
import org.opensearch.common.time.DateUtils;

/**
 * Dates of a column as strings.
 *
 * <p>Why: a formatter of {@code java.time} takes longer than the rest of a row. Where its format
 * ends with the time of day in milliseconds, its text of a day is kept, and the time is written
 * behind it.
 */
final class DateTexts {
  private static final long DAY = 86_400_000;

  /** A time of day of which no two digits can be taken for others, and midnight. */
  private static final long PROBE = ((13 * 60 + 47) * 60 + 29) * 1000L + 586;

  private static final String MIDNIGHT = "T00:00:00.000Z";
  private static final String PROBED = "T13:47:29.586Z";

  private final DateFormatter formatter;
  private final boolean nanos;
  private long day = Long.MIN_VALUE;

  /** What stands before the time of the day; null where the format has another form. */
  private @Nullable String date;

  /**
   * @param pattern null for the default of dates
   * @param nanos whether the numbers are nanoseconds
   */
  DateTexts(@Nullable String pattern, boolean nanos) {
    this.formatter =
        DateFormatter.forPattern(pattern == null ? "strict_date_optional_time" : pattern);
    this.nanos = nanos;
  }

  String of(long number) {
    if (nanos) {
      return format(DateUtils.toInstant(number));
    }
    long its = Math.floorDiv(number, DAY);
    if (its != day) {
      day = its;
      date = date(its);
    }
    String before = date;
    return before == null
        ? format(Instant.ofEpochMilli(number))
        : before + time((int) Math.floorMod(number, DAY));
  }

  private @Nullable String date(long its) {
    String midnight = format(Instant.ofEpochMilli(its * DAY));
    String probed = format(Instant.ofEpochMilli(its * DAY + PROBE));
    String before = midnight.substring(0, Math.max(0, midnight.length() - MIDNIGHT.length()));
    return midnight.equals(before + MIDNIGHT) && probed.equals(before + PROBED) ? before : null;
  }

  private String format(Instant time) {
    return formatter.format(time.atZone(ZoneOffset.UTC));
  }

  private static String time(int millis) {
    char[] text = MIDNIGHT.toCharArray();
    int seconds = millis / 1000;
    two(text, 1, seconds / 3600);
    two(text, 4, seconds / 60 % 60);
    two(text, 7, seconds % 60);
    text[10] += (char) (millis / 100 % 10);
    two(text, 11, millis % 100);
    return new String(text);
  }

  private static void two(char[] text, int at, int number) {
    text[at] += (char) (number / 10);
    text[at + 1] += (char) (number % 10);
  }
}
