package io.millrace.cli.ingest.lines;

import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * Recognises the time at a position of a line. A grammar, not a list of layouts: a date in any
 * order, what stands between date and clock, a clock, a fraction, a half of the day, a zone. One
 * pass over the characters: trying dozens of patterns per line would cost more than sending it.
 *
 * <p>Dates: {@code 2024-05-06} with - / . or nothing between, {@code 06/May/2024}, {@code May 6,
 * 2024}, {@code Mon May 6}, {@code 5/6/24}, {@code 06.05.2024}, {@code 05-06} and none at all;
 * seconds, milli-, micro- and nanoseconds since 1970; klog; TAI64N. What a date leaves open (year,
 * order of day and month) is decided by {@link #reference} and {@link #order}.
 *
 * <p>Each number that was read is remembered with its place, so that {@link #layout} can say how
 * the time was written.
 */
public final class TimeScanner extends DateGrammar {
  /**
   * @param zone the zone of times that name none
   */
  public TimeScanner(ZoneId zone) {
    super(zone);
  }

  /** Times without a year get the latest one that is not after this (and a day of grace). */
  public void reference(long epochMillis) {
    reference = epochMillis;
  }

  long reference() {
    return reference;
  }

  /** How dates of three numbers are read from now on. */
  public void order(DateOrder value) {
    order = value;
  }

  /** The time found, milliseconds since 1970 UTC. */
  public long millis() {
    return second * 1000 + nanos / 1_000_000;
  }

  long second() {
    return second;
  }

  int nanos() {
    return nanos;
  }

  /** The position after the time found. */
  public int end() {
    return at;
  }

  /** Whether the year or the whole date comes from {@link #reference}. */
  boolean dateGuessed() {
    return dateGuessed;
  }

  /** Whether the order of day and month followed from custom or {@link #order} only. */
  boolean orderOpen() {
    return orderOpen;
  }

  /** Whether the time has a date, or is a count since 1970. */
  boolean dated() {
    return dated;
  }

  /** How the time was written, in the letters of {@code date(1)}; see {@link Layout}. */
  void layout(StringBuilder out, String line, int from) {
    marks.write(out, line, from, at);
  }

  /** Minutes east of UTC in which the time was written. */
  int offset() {
    return offset;
  }

  /** Whether a time with a date starts at this position. */
  public boolean scan(String line, int from) {
    start(line, from);
    if (!date(true) || !between() || !clock(true)) {
      start(line, from);
      return digit(charAt(from)) && hex();
    }
    if (zoneBefore != TimeWords.NONE && !zoned) {
      zoned(zoneBefore);
    }
    return true;
  }

  /** Whether a date without a clock starts at this position. */
  boolean scanDate(String line, int from) {
    start(line, from);
    return date(false) && civil(0, 0, 0);
  }

  /** Whether a clock without a date starts here; its day is the latest that fits. */
  boolean scanClock(String line, int from) {
    start(line, from);
    if (from + 8 > line.length() || digits(from) != 2 || line.charAt(from + 2) != ':') {
      return false;
    }
    dated = false;
    dateGuessed = true;
    LocalDateTime last = local(reference);
    day(last);
    if (!clock(false)) {
      return false;
    }
    if (dateBehind()) {
      return true;
    }
    if (millis() > reference + 60_000) {
      day(last.minusDays(1));
      at = from;
      marks.clear();
      return clock(false);
    }
    return true;
  }

  /** {@code 10:11:12 06/05/2024}: a date with all four digits of its year behind the clock. */
  private boolean dateBehind() {
    int clockEnd = at;
    if (charAt(at) != ' ' && charAt(at) != ',' && charAt(at) != '\t' && charAt(at) != '_') {
      return false;
    }
    long wall = Math.floorMod(second + offset * 60L, 86_400L);
    boolean open = orderOpen;
    at++;
    skip(' ');
    int from = at;
    dateGuessed = false;
    boolean found = digits(at) != 3 && digits(at) < 5 && date(false) && !dateGuessed;
    found &= digits(from) == 4 || digits(Math.max(from, at - 4)) == 4;
    found &= !Character.isLetterOrDigit(charAt(at)) && charAt(at) != '.';
    long placed = found ? days(year, month, day) * 86_400 + wall : 0;
    if (!found) {
      at = clockEnd;
      orderOpen = open;
      dateGuessed = true;
      return false;
    }
    if (zoned) {
      second = placed - offset * 60L;
    } else {
      place(placed);
    }
    dateGuessed = false;
    dated = true;
    return true;
  }

  private void day(LocalDateTime date) {
    year = date.getYear();
    month = date.getMonthValue();
    day = date.getDayOfMonth();
  }

  /** Whether a count of seconds, or of thousandths and so on, since 1970 starts here. */
  boolean scanEpoch(String line, int from) {
    start(line, from);
    return unix(digits(from));
  }
}
