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

  /** Bytes of the longest text of any time. */
  static final int LONGEST = 40;

  private IsoTime() {}

  /**
   * The text of a time.
   *
   * @param seconds since the epoch
   * @param more nanoseconds after that, of any sign
   */
  public static String of(long seconds, long more) {
    byte[] text = new byte[LONGEST];
    return new String(text, 0, into(text, 0, seconds, more), StandardCharsets.ISO_8859_1);
  }

  /** Writes the text of {@link #of} from a place of an array; the place behind it. */
  static int into(byte[] text, int at, long seconds, long more) {
    long second = seconds + Math.floorDiv(more, SECOND);
    int nanos = (int) Math.floorMod(more, SECOND);
    if (second < 0 || second >= FIVE_DIGITS) {
      byte[] rare =
          Instant.ofEpochSecond(second, nanos).toString().getBytes(StandardCharsets.ISO_8859_1);
      System.arraycopy(rare, 0, text, at, rare.length);
      return at + rare.length;
    }
    date(text, at, (int) (second / DAY));
    int ofDay = (int) (second % DAY);
    text[at + 10] = 'T';
    digits(text, at + 11, 2, ofDay / 3_600);
    text[at + 13] = ':';
    digits(text, at + 14, 2, ofDay / 60 % 60);
    text[at + 16] = ':';
    digits(text, at + 17, 2, ofDay % 60);
    int end = fraction(text, at + 19, nanos);
    text[end] = 'Z';
    return end + 1;
  }

  /**
   * Year, month and day, counted in years that begin in March, so that the leap day is the last.
   * The way is that of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms" (2013),
   * {@code civil_from_days}.
   */
  private static void date(byte[] text, int at, int days) {
    int shifted = days + DAYS_BEFORE_EPOCH;
    int era = shifted / DAYS_OF_400_YEARS;
    int ofEra = shifted % DAYS_OF_400_YEARS;
    int yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365;
    int ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int fromMarch = (5 * ofYear + 2) / 153;
    int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
    digits(text, at, 4, era * 400 + yearOfEra + (month <= 2 ? 1 : 0));
    text[at + 4] = '-';
    digits(text, at + 5, 2, month);
    text[at + 7] = '-';
    digits(text, at + 8, 2, ofYear - (153 * fromMarch + 2) / 5 + 1);
  }

  /** The place behind the fraction. */
  private static int fraction(byte[] text, int at, int nanos) {
    if (nanos == 0) {
      return at;
    }
    int count = nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : 9;
    text[at] = '.';
    digits(
        text, at + 1, count, count == 3 ? nanos / 1_000_000 : count == 6 ? nanos / 1_000 : nanos);
    return at + 1 + count;
  }

  private static void digits(byte[] text, int at, int count, int number) {
    int left = number;
    for (int i = at + count - 1; i >= at; i--) {
      text[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }
}
