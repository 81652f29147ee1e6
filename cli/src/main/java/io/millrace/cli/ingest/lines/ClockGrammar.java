package io.millrace.cli.ingest.lines;

import java.time.ZoneId;

/**
 * The clock of a time: hours and minutes, seconds, a fraction, the half of the day, and a year that
 * stands behind them.
 */
abstract class ClockGrammar extends ZoneGrammar {
  ClockGrammar(ZoneId zone) {
    super(zone);
  }

  /** A clock, its fraction, the half of the day, the zone, and a year behind them. */
  boolean clock(boolean afterDate) {
    if (year == COMPLETE) {
      return true;
    }
    int early = EastAsia.half(s, at);
    at += early == EastAsia.NONE ? 0 : EastAsia.HALF;
    int hourAt = at;
    int count = digits(at);
    if (count == 6 || count == 9) {
      return packedClock();
    }
    if (count < 1 || count > 2) {
      return false;
    }
    int hour = Integer.parseInt(s, at, at + count, 10);
    at += count;
    char colon = charAt(at);
    boolean marked = afterDate && (colon == 'h' || EastAsia.isHour(colon));
    if (colon != ':' && (colon != '.' || !afterDate) && !marked) {
      return false;
    }
    at++;
    if (marked) {
      skip(' ');
    }
    int minute = small('M');
    int seconds = 0;
    if (minute < 0) {
      return false;
    }
    if (marked) {
      seconds = markedSeconds();
      if (seconds < 0) {
        return false;
      }
    } else if (charAt(at) == colon && digit(charAt(at + 1)) && digits(at + 1) <= 2) {
      at++;
      seconds = small('S');
      behindSeconds();
    } else if (!afterDate || colon != ':' || digit(charAt(at))) {
      return false;
    }
    if (early != EastAsia.NONE) {
      marks.add('I', hourAt, count);
      hour = hour >= 1 && hour <= 12 ? hour % 12 + early : -1;
    } else {
      hour = half(hour, hourAt, count);
    }
    if (hour < 0 || !civil(hour, minute, seconds)) {
      return false;
    }
    zone(!dateGuessed);
    yearAtTheEnd();
    return true;
  }

  boolean packedClock() {
    int count = digits(at);
    if (count != 6 && count != 9) {
      return false;
    }
    int hour = take(2, 'H');
    int minute = take(2, 'M');
    int seconds = take(2, 'S');
    if (count == 9) {
      fraction(3);
    } else if ((charAt(at) == '.' || charAt(at) == ',') && digits(at + 1) > 0) {
      at++;
      fraction(digits(at));
    }
    if (!civil(hour, minute, seconds)) {
      return false;
    }
    zone(true);
    year = COMPLETE;
    return true;
  }

  /**
   * The seconds of a clock whose numbers have words: {@code 10h11.12}, {@code 10h11m12s}, and as
   * East Asia writes them; -1 when there are none.
   */
  private int markedSeconds() {
    char minute = charAt(at);
    if (minute != ':' && minute != '.' && minute != 'm' && !EastAsia.isMinute(minute)) {
      return -1;
    }
    at++;
    skip(' ');
    int seconds = small('S');
    if (EastAsia.isSecond(charAt(at)) || minute == 'm' && charAt(at) == 's') {
      at++;
    } else {
      behindSeconds();
    }
    return seconds;
  }

  private void behindSeconds() {
    char c = charAt(at);
    int count = digits(at + 1);
    if ((c == '.' || c == ',') && count > 0 && (c == '.' || count == 3 || count == 6)) {
      at++;
      fraction(count);
    } else if (c == ':' && count == 6) {
      at++;
      fraction(count);
    } else if (c == ':' && count > 0 && count <= 3 && charAt(at + 1 + count) != ':') {
      at++;
      nanos = take(count, 'L') * 1_000_000;
    }
  }

  private int half(int hour, int hourAt, int count) {
    int from = at;
    char c = charAt(from);
    if (c == ' ' || c == '\u202f') {
      c = charAt(++from);
    }
    boolean pm = c == 'P' || c == 'p';
    boolean dots = charAt(from + 1) == '.';
    int gap = dots && (charAt(from + 2) == ' ' || charAt(from + 2) == '\u00a0') ? 1 : 0;
    char m = charAt(from + 1 + (dots ? 1 : 0) + gap);
    int end = from + 2 + (dots ? 2 : 0) + gap;
    if ((pm || c == 'A' || c == 'a')
        && (m == 'M' || m == 'm')
        && (!dots || charAt(end - 1) == '.')
        && !Character.isLetterOrDigit(charAt(end))) {
      at = end;
      marks.add('I', hourAt, count);
      return hour >= 1 && hour <= 12 ? hour % 12 + (pm ? 12 : 0) : -1;
    }
    marks.add('H', hourAt, count);
    return hour;
  }

  private void yearAtTheEnd() {
    if (!dateGuessed || !dated || charAt(at) != ' ' || digits(at + 1) != 4) {
      return;
    }
    char behind = charAt(at + 5);
    if (behind == ':' && isAddress(at + 1)) {
      return; // "Dec  9 16:53:52 2001:db8::7 cron[7]: x": a host
    }
    int found = Integer.parseInt(s, at + 1, at + 5, 10);
    if (found >= 1970 && found < 2100 && (behind == '\0' || " ]:,|\t\n)>\"".indexOf(behind) >= 0)) {
      at++;
      int was = year;
      year = take(4, 'Y');
      dateGuessed = false;
      long shift = days(year, month, day) - days(was, month, day);
      long wall = second + offset * 60L + shift * 86_400L;
      if (zoned) {
        second = wall - offset * 60L;
      } else {
        place(wall);
      }
    }
  }

  /** Whether a word of hexadecimal digits and two colons or more begins here. */
  private boolean isAddress(int from) {
    int colons = 0;
    int i = from;
    for (; Character.digit(charAt(i), 16) >= 0 || charAt(i) == ':'; i++) {
      colons += charAt(i) == ':' ? 1 : 0;
    }
    return colons > 1 && (charAt(i) == ' ' || charAt(i) == '%' || charAt(i) == '.');
  }
}
