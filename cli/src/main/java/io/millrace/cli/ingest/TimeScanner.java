package io.millrace.cli.ingest;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * Recognises the time at a position of a line, by its shape. One pass over the characters, no
 * regular expressions: trying a dozen patterns per line would cost more than sending the line.
 *
 * <p>Known shapes: ISO 8601 and its relatives ({@code 2015-10-18 18:01:47,978}, {@code
 * 2024/05/06T..+02:00}), {@code 17/06/09 20:10:40} (year first), {@code 081109 203615}, {@code
 * 10/Oct/2000:13:55:36 -0700}, {@code 06-May-2024 10:11:12.345}, {@code Jun 14 15:16:01}, {@code
 * May 06, 2024 1:02:03 PM}, {@code Sun Dec 04 04:47:44 2005}, {@code I0612 13:42:07.123456} (klog),
 * seconds or milliseconds since 1970.
 */
final class TimeScanner {
  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
  private static final String DAYS = "mon tue wed thu fri sat sun ";

  private final ZoneId zone;
  private final boolean utc;
  private long reference;
  private String s = "";
  private int at;
  private long millis;

  /**
   * @param zone the zone of times that name none
   */
  TimeScanner(ZoneId zone) {
    this.zone = zone;
    this.utc = zone.normalized().equals(ZoneOffset.UTC);
  }

  /** Times without a year get the latest one that is not after this (and a day of grace). */
  void reference(long epochMillis) {
    reference = epochMillis;
  }

  /** The time found, milliseconds since 1970 UTC. */
  long millis() {
    return millis;
  }

  /** The position after the time found. */
  int end() {
    return at;
  }

  /** Whether a time starts at this position. */
  boolean scan(String line, int from) {
    s = line;
    at = from;
    if (from >= line.length()) {
      return false;
    }
    char c = line.charAt(from);
    if (c >= '0' && c <= '9') {
      return switch (digits(from)) {
        case 1, 2 -> dayFirst();
        case 4 -> iso();
        case 6 -> compact();
        case 10, 13 -> unix();
        default -> false;
      };
    }
    return letters();
  }

  private int digits(int from) {
    int i = from;
    while (i < s.length() && s.charAt(i) >= '0' && s.charAt(i) <= '9') {
      i++;
    }
    return i - from;
  }

  private boolean is(char c) {
    return at < s.length() && s.charAt(at) == c;
  }

  private boolean skip(char c) {
    if (is(c)) {
      at++;
      return true;
    }
    return false;
  }

  /** Exactly {@code count} digits, or -1. */
  private int number(int count) {
    int value = 0;
    for (int i = 0; i < count; i++, at++) {
      if (at >= s.length() || s.charAt(at) < '0' || s.charAt(at) > '9') {
        return -1;
      }
      value = value * 10 + s.charAt(at) - '0';
    }
    return value;
  }

  /** One or two digits, or -1. */
  private int shortNumber() {
    int count = digits(at);
    return count == 1 || count == 2 ? number(count) : -1;
  }

  /** The month whose English abbreviation is here (1 to 12), or -1. */
  private int month() {
    if (at + 3 > s.length()) {
      return -1;
    }
    int index = MONTHS.indexOf(s.substring(at, at + 3).toLowerCase(Locale.ROOT));
    if (index < 0 || index % 3 != 0) {
      return -1;
    }
    at += 3;
    return index / 3 + 1;
  }

  private boolean iso() {
    int year = number(4);
    char separator = at < s.length() ? s.charAt(at) : ' ';
    if (separator != '-' && separator != '/' && separator != '.') {
      return false;
    }
    at++;
    int month = number(2);
    if (!skip(separator)) {
      return false;
    }
    int day = number(2);
    if (!skip('T') && !skip(' ') && !skip('_') && !skip('-')) {
      return false;
    }
    return clock(year, month, day, true);
  }

  private boolean dayFirst() {
    int first = shortNumber();
    if (is('/') && digits(at + 1) == 2) {
      at++;
      int month = number(2);
      if (!skip('/')) {
        return false;
      }
      int day = number(2);
      return skip(' ') && clock(first + (first < 70 ? 2000 : 1900), month, day, false);
    }
    if (!skip('/') && !skip('-') && !skip(' ')) {
      return false;
    }
    int month = month();
    if (month < 0 || !(skip('/') || skip('-') || skip(' '))) {
      return false;
    }
    int year = number(4);
    return (skip(':') || skip(' ')) && clock(year, month, first, true);
  }

  private boolean compact() {
    int date = number(6);
    if (!skip(' ') || digits(at) != 6) {
      return false;
    }
    int time = number(6);
    int year = date / 10_000;
    return civil(
        year + (year < 70 ? 2000 : 1900),
        date / 100 % 100,
        date % 100,
        time / 10_000,
        time / 100 % 100,
        time % 100,
        0);
  }

  private boolean unix() {
    int count = digits(at);
    long value = Long.parseLong(s, at, at + count, 10);
    at += count;
    if (count == 13) {
      millis = value;
      return value > 100_000_000_000L;
    }
    millis = value * 1000;
    if (is('.')) {
      at++;
      millis += fraction();
    }
    return at >= s.length() || !Character.isLetterOrDigit(s.charAt(at));
  }

  private boolean letters() {
    if ("IWEF".indexOf(s.charAt(at)) >= 0 && digits(at + 1) == 4) {
      at++;
      int month = number(2);
      int day = number(2);
      return skip(' ') && clock(yearOf(month, day), month, day, false);
    }
    if (at + 4 <= s.length() && DAYS.contains(s.substring(at, at + 4).toLowerCase(Locale.ROOT))) {
      at += 4;
    }
    int month = month();
    if (month < 0 || !skip(' ')) {
      return false;
    }
    skip(' ');
    int day = shortNumber();
    if (skip(',')) {
      return skip(' ') && twelveHours(number(4), month, day);
    }
    if (day < 0 || !skip(' ')) {
      return false;
    }
    if (digits(at) == 4) {
      int year = number(4);
      return skip(' ') && clock(year, month, day, true);
    }
    return clock(yearOf(month, day), month, day, false) && yearAfter();
  }

  /** {@code Sun Dec 04 04:47:44 2005}: a year behind the clock replaces the guessed one. */
  private boolean yearAfter() {
    int mark = at;
    if (skip(' ')
        && digits(at) == 4
        && (at + 4 == s.length() || " ]:".indexOf(s.charAt(at + 4)) >= 0)) {
      int year = number(4);
      if (year >= 1970 && year < 2100) {
        LocalDateTime time =
            LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), zone).withYear(year);
        millis = time.atZone(zone).toInstant().toEpochMilli();
        return true;
      }
    }
    at = mark;
    return true;
  }

  private boolean twelveHours(int year, int month, int day) {
    if (!skip(' ')) {
      return false;
    }
    int hour = shortNumber();
    if (!skip(':')) {
      return false;
    }
    int minute = number(2);
    if (!skip(':')) {
      return false;
    }
    int second = number(2);
    if (!skip(' ') || at + 2 > s.length()) {
      return false;
    }
    boolean pm = s.charAt(at) == 'P';
    at += 2;
    return hour >= 1
        && hour <= 12
        && civil(year, month, day, hour % 12 + (pm ? 12 : 0), minute, second, 0);
  }

  private int yearOf(int month, int day) {
    LocalDateTime now = LocalDateTime.ofInstant(Instant.ofEpochMilli(reference), zone).plusDays(1);
    boolean later =
        month > now.getMonthValue() || (month == now.getMonthValue() && day > now.getDayOfMonth());
    int year = later ? now.getYear() - 1 : now.getYear();
    if (month == 2 && day == 29) {
      while (!Year.isLeap(year)) {
        year--;
      }
    }
    return year;
  }

  /** {@code HH:mm:ss}, a fraction and a zone, where they are. */
  private boolean clock(int year, int month, int day, boolean zoneAllowed) {
    int hour = shortNumber();
    char colon = is('.') ? '.' : ':';
    if (!skip(colon)) {
      return false;
    }
    int minute = number(2);
    if (!skip(colon)) {
      return false;
    }
    int second = number(2);
    int fraction = 0;
    if ((is('.') || is(',')) && digits(at + 1) > 0) {
      at++;
      fraction = fraction();
    }
    if (!civil(year, month, day, hour, minute, second, fraction)) {
      return false;
    }
    if (zoneAllowed) {
      offset();
    }
    return true;
  }

  /** Milliseconds of a fraction; digits after the third are dropped. */
  private int fraction() {
    int count = digits(at);
    int value = 0;
    for (int i = 0; i < 3; i++) {
      value = value * 10 + (i < count ? s.charAt(at + i) - '0' : 0);
    }
    at += count;
    return value;
  }

  private void offset() {
    int mark = at;
    if (skip('Z')) {
      toUtc(0);
      return;
    }
    if (s.startsWith(" UTC", at) || s.startsWith(" GMT", at)) {
      at += 4;
      toUtc(0);
      return;
    }
    skip(' ');
    boolean minus = is('-');
    if ((skip('+') || skip('-')) && digits(at) >= 2) {
      int hours = number(2);
      skip(':');
      int minutes = digits(at) == 2 ? number(2) : 0;
      if (hours <= 18 && minutes < 60 && (at == s.length() || !Character.isDigit(s.charAt(at)))) {
        toUtc((minus ? -1 : 1) * (hours * 60 + minutes));
        return;
      }
    }
    at = mark;
  }

  private long local;

  private void toUtc(int offsetMinutes) {
    millis = local - offsetMinutes * 60_000L;
  }

  private boolean civil(
      int year, int month, int day, int hour, int minute, int second, int millisecond) {
    if (month < 1
        || month > 12
        || day < 1
        || day > 31
        || hour < 0
        || hour > 23
        || minute < 0
        || minute > 59
        || second < 0
        || second > 60
        || year < 0) {
      return false;
    }
    long y = month <= 2 ? year - 1L : year;
    long era = Math.floorDiv(y, 400L);
    long yearOfEra = y - era * 400;
    long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    long days =
        era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468;
    local =
        ((days * 24 + hour) * 60 + minute) * 60_000L + Math.min(59, second) * 1000L + millisecond;
    millis = local;
    if (!utc) {
      LocalDateTime time = LocalDateTime.ofInstant(Instant.ofEpochMilli(local), ZoneOffset.UTC);
      millis = time.atZone(zone).toInstant().toEpochMilli();
    }
    return true;
  }
}
