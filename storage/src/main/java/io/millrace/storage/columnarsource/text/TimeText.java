package io.millrace.storage.columnarsource.text;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.util.Arrays;

/**
 * Timestamps such as {@code 2026-11-21T05:40:00.123Z}: one layout per column, the instant as a
 * whole number of the last digit shown.
 *
 * <p>Layout: {@code yyyy-MM-dd}, one byte, {@code HH:mm:ss}, then optionally {@code .} or {@code ,}
 * with one to nine digits, then any text that is the same in all values ({@code Z}, an offset,
 * nothing). Dates that the calendar does not have, second 60 and years outside 1700 to 2199 are
 * refused. The offset is not applied: it is text.
 *
 * @param separator the byte between date and time
 * @param point {@code .} or {@code ,}, or 0 for no fraction
 * @param fraction digits of the fraction, 0 to 9
 * @param suffix what follows
 */
public record TimeText(byte separator, byte point, int fraction, byte[] suffix) {
  private static final int SECONDS_END = 19;
  private static final int MAX_SUFFIX = 16;
  private static final int[] MONTHS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

  /** The layout of a text, or null; the digits themselves are not looked at. */
  public static @org.jspecify.annotations.Nullable TimeText of(byte[] text, int from, int length) {
    if (length < SECONDS_END || text[from + 4] != '-' || text[from + 13] != ':') {
      return null;
    }
    int at = SECONDS_END;
    byte point = 0;
    int fraction = 0;
    if (at < length && (text[from + at] == '.' || text[from + at] == ',')) {
      point = text[from + at++];
      while (at < length && text[from + at] >= '0' && text[from + at] <= '9') {
        at++;
        fraction++;
      }
      if (fraction == 0 || fraction > 9) {
        return null;
      }
    }
    if (length - at > MAX_SUFFIX) {
      return null;
    }
    return new TimeText(
        text[from + 10], point, fraction, Arrays.copyOfRange(text, from + at, from + length));
  }

  private int textLength() {
    return SECONDS_END + (point == 0 ? 0 : 1 + fraction) + suffix.length;
  }

  /** The instant, or {@link NumberText#REFUSED}. */
  public long parse(byte[] text, int from, int length) {
    if (length != textLength()
        || text[from + 4] != '-'
        || text[from + 7] != '-'
        || text[from + 10] != separator
        || text[from + 13] != ':'
        || text[from + 16] != ':'
        || point != 0 && text[from + SECONDS_END] != point
        || !Arrays.equals(
            text, from + length - suffix.length, from + length, suffix, 0, suffix.length)) {
      return NumberText.REFUSED;
    }
    long year = NumberText.parsePadded(text, from, 4);
    long month = NumberText.parsePadded(text, from + 5, 2);
    long day = NumberText.parsePadded(text, from + 8, 2);
    long hour = NumberText.parsePadded(text, from + 11, 2);
    long minute = NumberText.parsePadded(text, from + 14, 2);
    long second = NumberText.parsePadded(text, from + 17, 2);
    long part = point == 0 ? 0 : NumberText.parsePadded(text, from + SECONDS_END + 1, fraction);
    if (year < 1700
        || year > 2199
        || month < 1
        || month > 12
        || day < 1
        || day > daysOf((int) year, (int) month)
        || hour < 0
        || hour > 23
        || minute < 0
        || minute > 59
        || second < 0
        || second > 59
        || part < 0) {
      return NumberText.REFUSED;
    }
    long seconds =
        ((days((int) year, (int) month, (int) day) * 24 + hour) * 60 + minute) * 60 + second;
    return seconds * NumberText.power(fraction) + part;
  }

  /** Writes the text of an instant that {@link #parse} gave. */
  public void append(long value, ByteSink out) {
    long unit = NumberText.power(fraction);
    long seconds = Math.floorDiv(value, unit);
    int day = (int) Math.floorDiv(seconds, 86_400L);
    int inDay = (int) Math.floorMod(seconds, 86_400L);
    // Howard Hinnant, "chrono-compatible low-level date algorithms": years from March
    int shifted = day + 719_468;
    int era = Math.floorDiv(shifted, 146_097);
    int inEra = shifted - era * 146_097;
    int yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365;
    int inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int march = (5 * inYear + 2) / 153;
    int month = march < 10 ? march + 3 : march - 9;
    int year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    NumberText.appendPadded(year, 4, out);
    out.writeByte('-');
    NumberText.appendPadded(month, 2, out);
    out.writeByte('-');
    NumberText.appendPadded(inYear - (153 * march + 2) / 5 + 1, 2, out);
    out.writeByte(separator);
    NumberText.appendPadded(inDay / 3600, 2, out);
    out.writeByte(':');
    NumberText.appendPadded(inDay / 60 % 60, 2, out);
    out.writeByte(':');
    NumberText.appendPadded(inDay % 60, 2, out);
    if (point != 0) {
      out.writeByte(point);
      NumberText.appendPadded(Math.floorMod(value, unit), fraction, out);
    }
    out.write(suffix, 0, suffix.length);
  }

  private static int daysOf(int year, int month) {
    boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && leap ? 29 : MONTHS[month - 1];
  }

  /** Days since 1970-01-01; Hinnant as above. */
  private static long days(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year;
    int era = Math.floorDiv(y, 400);
    int yearOfEra = y - era * 400;
    int inYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int inEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + inYear;
    return era * 146_097L + inEra - 719_468;
  }
}
