package io.millrace.pipelines.intake;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.opensearch.common.unit.TimeValue;

/**
 * Times as ISO 8601 in UTC, the text of {@link Instant#toString}: three, six or nine digits of a
 * fraction, or none. Every record has a time or two, and the JDK's formatter was what flight
 * recordings of {@code OtlpCostIT} named first in the making of a document.
 */
public final class IsoTime {
  private static final long SECOND = TimeValue.timeValueSeconds(1).nanos();
  private static final int DAY = 86_400;
  private static final int DAYS_OF_400_YEARS = 146_097;

  /** From the first of March of the year 0 to the epoch. */
  private static final int DAYS_BEFORE_EPOCH = 719_468;

  /** The first second of the year 10000, whose years have five digits. */
  private static final long FIVE_DIGITS = 253_402_300_800L;

  private IsoTime() {}

  /**
   * The text of a time.
   *
   * @param seconds since the epoch
   * @param more nanoseconds after that, of any sign
   */
  public static String of(long seconds, long more) {
    return text(
        seconds + Math.floorDiv(more, SECOND), (int) (more - Math.floorDiv(more, SECOND) * SECOND));
  }

  private static String text(long seconds, int nanos) {
    if (seconds < 0 || seconds >= FIVE_DIGITS) {
      return Instant.ofEpochSecond(seconds, nanos).toString();
    }
    byte[] text = new byte[30];
    date(text, (int) (seconds / DAY));
    int second = (int) (seconds % DAY);
    text[10] = 'T';
    digits(text, 11, 2, second / 3_600);
    text[13] = ':';
    digits(text, 14, 2, second / 60 % 60);
    text[16] = ':';
    digits(text, 17, 2, second % 60);
    int end = fraction(text, nanos);
    text[end] = 'Z';
    return new String(text, 0, end + 1, StandardCharsets.ISO_8859_1);
  }

  /**
   * Year, month and day, counted in years that begin in March, so that the leap day is the last.
   * The way is that of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms" (2013),
   * {@code civil_from_days}.
   */
  private static void date(byte[] text, int days) {
    int shifted = days + DAYS_BEFORE_EPOCH;
    int era = shifted / DAYS_OF_400_YEARS;
    int ofEra = shifted % DAYS_OF_400_YEARS;
    int yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365;
    int ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int fromMarch = (5 * ofYear + 2) / 153;
    int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
    digits(text, 0, 4, era * 400 + yearOfEra + (month <= 2 ? 1 : 0));
    text[4] = '-';
    digits(text, 5, 2, month);
    text[7] = '-';
    digits(text, 8, 2, ofYear - (153 * fromMarch + 2) / 5 + 1);
  }

  /** The place behind the fraction. */
  private static int fraction(byte[] text, int nanos) {
    if (nanos == 0) {
      return 19;
    }
    int count = nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : 9;
    text[19] = '.';
    digits(text, 20, count, count == 3 ? nanos / 1_000_000 : count == 6 ? nanos / 1_000 : nanos);
    return 20 + count;
  }

  private static void digits(byte[] text, int at, int count, int number) {
    int left = number;
    for (int i = at + count - 1; i >= at; i--) {
      text[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }
}
