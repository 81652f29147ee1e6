package io.millrace.cli.ingest.lines;

import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneId;

/** Every kind of date, counts since 1970 among them, and what may stand between it and a clock. */
abstract class DateGrammar extends NumericDates {
  DateGrammar(ZoneId zone) {
    super(zone);
  }

  /** Reads a date; sets the year to -2 when the time is complete with it. */
  boolean date(boolean alsoCounts) {
    int count = digits(at);
    switch (count) {
      case 0:
        return charAt(at) == '@' ? tai() : letters();
      case 1, 2:
        return numbers();
      case 4:
        return charAt(at + 4) == '/' && digits(at + 5) == 6 ? monthDay(2) : yearFirst();
      case 6:
        return compact(2);
      case 8:
        return compact(4);
      case 14, 17:
        return alsoCounts && compact(4) && packedClock();
      case 18:
        return alsoCounts && fileTime();
      default:
        return alsoCounts && unix(count);
    }
  }

  boolean unix(int count) {
    if (charAt(at) == '0' || count != 10 && count != 13 && count != 16 && count != 19) {
      return false;
    }
    long value = Long.parseLong(s, at, at + 10, 10);
    marks.add('s', at, 10);
    at += 10;
    if (value < EARLIEST || value > LATEST) {
      return false;
    }
    if (count > 10) {
      fraction(count - 10);
    } else if (charAt(at) == '.' && digits(at + 1) > 0) {
      at++;
      fraction(digits(at));
    }
    if (Character.isLetterOrDigit(charAt(at)) || charAt(at) == '_') {
      return false;
    }
    second = value;
    zoned = true;
    year = COMPLETE;
    return true;
  }

  /** FILETIME of Windows: tenths of microseconds since 1601. */
  private boolean fileTime() {
    long value = Long.parseLong(s, at, at + 18, 10);
    second = value / 10_000_000 - 11_644_473_600L;
    nanos = (int) (value % 10_000_000) * 100;
    at += 18;
    zoned = true;
    unlaid = true;
    year = COMPLETE;
    return second > EARLIEST
        && second < LATEST
        && !Character.isLetterOrDigit(charAt(at))
        && charAt(at) != '.';
  }

  /**
   * Seconds since 1970 in eight hexadecimal digits, a point, and nanoseconds in eight, microseconds
   * in five or a number in four: OpenLDAP 2.5 and RAS1 of IBM. They are no word of another kind
   * when the time lies within ten years before {@link #reference}.
   */
  boolean hex() {
    int end = hexEnd(at);
    int last = charAt(end) == '.' ? hexEnd(end + 1) : end;
    int count = last - end - 1;
    if (end - at != 8 || count != 8 && count != 5 && count != 4) {
      return false;
    }
    second = Long.parseLong(s, at, end, 16);
    long part = Long.parseLong(s, end + 1, last, 16);
    long now = reference / 1_000;
    if (second > now + 86_400
        || second < now - 10 * 366 * 86_400L
        || part >= (count == 8 ? 1_000_000_000 : 1_000_000)) {
      return false;
    }
    nanos = count == 8 ? (int) part : count == 5 ? (int) part * 1_000 : 0;
    at = last;
    zoned = true;
    unlaid = true;
    year = COMPLETE;
    return true;
  }

  private int hexEnd(int from) {
    int i = from;
    while (i < s.length() && Character.digit(s.charAt(i), 16) >= 0) {
      i++;
    }
    return i;
  }

  /** TAI64N of daemontools: seconds since 1970 TAI, 10 ahead of Unix time as multilog counts. */
  private boolean tai() {
    if (at + 25 > s.length()) {
      return false;
    }
    try {
      second = Long.parseLong(s, at + 2, at + 17, 16) - 10;
      nanos = Integer.parseInt(s, at + 17, at + 25, 16);
    } catch (NumberFormatException e) {
      return false;
    }
    marks.add('T', at, 25);
    at += 25;
    zoned = true;
    year = COMPLETE;
    return nanos < 1_000_000_000 && second > EARLIEST && second < LATEST;
  }

  private boolean compact(int yearDigits) {
    year = take(yearDigits, 'Y');
    month = take(2, 'm');
    day = take(2, 'd');
    if (yearDigits == 2) {
      year = century(year);
    }
    return valid();
  }

  private boolean yearFirst() {
    year = take(4, 'Y');
    char separator = charAt(at);
    boolean asian = EastAsia.isYear(separator);
    if ("-/. :".indexOf(separator) < 0 && !asian) {
      return false;
    }
    at++;
    if (asian) {
      skip(' ');
    }
    if (Character.isLetter(charAt(at))) {
      if (!monthWord() || !skip(separator) && !skip(' ')) {
        return false;
      }
      skip(' ');
      return oneDay();
    }
    if (separator == ' ') {
      return false;
    }
    if (digits(at) == 3) {
      return dayOfYear();
    }
    month = small('m');
    if (asian && EastAsia.isMonth(charAt(at))) {
      at++;
      skip(' ');
    } else if (!skip(separator)) {
      return false;
    }
    if (!oneDay()) {
      return false;
    }
    if (asian && EastAsia.isDay(charAt(at))) {
      at++;
    }
    return true;
  }

  /** {@code 2024-127}. */
  private boolean dayOfYear() {
    int ordinal = take(3, 'j');
    if (ordinal < 1 || ordinal > (Year.isLeap(year) ? 366 : 365)) {
      return false;
    }
    LocalDate date = LocalDate.ofYearDay(year, ordinal);
    month = date.getMonthValue();
    day = date.getDayOfMonth();
    return valid();
  }

  /** {@code 0506/101112} of Chromium, {@code W506 10:11:12} of PyTorch. */
  private boolean monthDay(int monthDigits) {
    month = take(monthDigits, 'm');
    day = take(2, 'd');
    return guessYear();
  }

  private boolean oneDay() {
    day = small('d');
    return valid();
  }

  private boolean letters() {
    char first = charAt(at);
    if ("IWEFDV".indexOf(first) >= 0 && digit(charAt(at + 1))) {
      return klog();
    }
    if (!Character.isLetter(first)) {
      return false;
    }
    int end = TimeWords.wordEnd(s, at);
    zoneBefore = charAt(end) == ' ' ? TimeWords.zone(s, at, end) : TimeWords.NONE;
    if (zoneBefore != TimeWords.NONE) {
      at = end + 1;
      end = TimeWords.wordEnd(s, at);
    }
    if (TimeWords.isDay(s, at, end) || numberBehind(end) && OtherLanguages.isDay(s, at, end)) {
      at = end;
      skip('.');
      skip(',');
      if (!skip(' ')) {
        return false;
      }
      skip(' ');
      if (digit(charAt(at))) {
        return digits(at) == 4 ? yearFirst() : numbers();
      }
    }
    if (!monthWord()) {
      return false;
    }
    skip('.');
    char separator = charAt(at);
    if (digits(at) == 2 && charAt(at + 2) == ' ') {
      separator = ' '; // "May06 10:11:12" of BeeGFS
    } else if (" -/".indexOf(separator) < 0) {
      return false;
    } else {
      at++;
      skip(' ');
    }
    day = small('d');
    return day > 0 && yearBehind(separator);
  }

  private boolean klog() {
    boolean fenced = at > 0 && charAt(at - 1) == '[';
    at++;
    int count = digits(at);
    if (charAt(at + count) != ' '
        || count != 4 && count != 6 && count != 8 && (count != 3 || !fenced)) {
      return false;
    }
    return count <= 4 ? monthDay(count - 2) : compact(count - 4);
  }

  /** What may stand between a date and a clock. */
  boolean between() {
    if (year == COMPLETE) {
      return true;
    }
    int from = at;
    while (at < s.length() && at - from < 4 && " T_-:|,;\tt/".indexOf(s.charAt(at)) >= 0) {
      at++;
    }
    if (at == from && charAt(at) == '.' && from > 9 && s.charAt(from - 3) == '-') {
      at++; // "2024-05-06.10:11:12" of Gitolite; between points it would be an address with a port
    }
    if (s.startsWith("at ", at)) {
      at += 3;
    }
    if (at == from && charAt(at) == 'D' && digits(at + 1) == 2 && charAt(at + 3) == ':') {
      at++; // kdb+
    } else if (at == from && !EastAsia.isDay(charAt(from - 1))) {
      return false;
    }
    return digit(charAt(at)) || EastAsia.half(s, at) != EastAsia.NONE;
  }
}
