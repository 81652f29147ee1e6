package io.millrace.cli.ingest.lines;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Where a reader of times stands in a line, and what it has read so far. The grammar of dates,
 * clocks and zones is built on it in layers, each in a file of its own.
 */
abstract class TimeCursor {
  static final long EARLIEST = 631_152_000L; // 1990
  static final long LATEST = 4_102_444_800L; // 2100

  /** The year of a time that is complete without a clock, such as seconds since 1970. */
  static final int COMPLETE = -2;

  final ZoneId zone;
  private final boolean utc;
  long reference;
  DateOrder order = DateOrder.CUSTOM;
  final TimeMarks marks = new TimeMarks();
  String s = "";
  int at;
  long second;
  int nanos;
  int offset;
  boolean zoned;
  boolean dateGuessed;
  boolean orderOpen;

  /** How the date of three numbers was read that could be read otherwise too. */
  DateOrder orderRead = DateOrder.CUSTOM;

  boolean dated;

  /** Whether the letters of a layout cannot say how the time is written. */
  boolean unlaid;

  int year;
  int month;
  int day;

  /** Minutes east of UTC that a zone before the date says, or {@link TimeWords#NONE}. */
  int zoneBefore;

  private long cachedQuarter = Long.MIN_VALUE;
  private int cachedOffset;

  TimeCursor(ZoneId zone) {
    this.zone = zone;
    this.utc = zone.normalized().equals(ZoneOffset.UTC);
  }

  void start(String line, int from) {
    s = line;
    at = from;
    marks.clear();
    nanos = 0;
    offset = 0;
    zoned = false;
    dateGuessed = false;
    orderOpen = false;
    orderRead = DateOrder.CUSTOM;
    dated = true;
    unlaid = false;
    year = -1;
    zoneBefore = TimeWords.NONE;
  }

  char charAt(int index) {
    return index < s.length() ? s.charAt(index) : '\0';
  }

  static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  int digits(int from) {
    int i = from;
    while (i < s.length() && digit(s.charAt(i))) {
      i++;
    }
    return i - from;
  }

  boolean skip(char c) {
    if (charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  /** Reads digits and remembers what they are. */
  int take(int count, char what) {
    marks.add(what, at, count);
    int value = 0;
    for (int i = 0; i < count; i++) {
      value = value * 10 + s.charAt(at++) - '0';
    }
    return value;
  }

  /** One or two digits, or -1. */
  int small(char what) {
    int count = digits(at);
    return count == 1 || count == 2 ? take(count, what) : -1;
  }

  void fraction(int count) {
    marks.add('N', at, Math.min(9, count));
    nanos = 0;
    for (int i = 0; i < 9; i++) {
      nanos = nanos * 10 + (i < count ? s.charAt(at + i) - '0' : 0);
    }
    at += count;
  }

  LocalDateTime local(long millis) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), zone);
  }

  static int century(int twoDigits) {
    return twoDigits + (twoDigits < 70 ? 2000 : 1900);
  }

  /** Days from 1970 to a date of the Gregorian calendar. */
  static long days(int year, int month, int day) {
    long y = month <= 2 ? year - 1L : year;
    long era = Math.floorDiv(y, 400L);
    long yearOfEra = y - era * 400;
    long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468;
  }

  boolean civil(int hour, int minute, int seconds) {
    if (hour > 23 || minute > 59 || seconds > 60 || month < 1 || day < 1) {
      return false;
    }
    place(((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + Math.min(59, seconds));
    return true;
  }

  /** Turns a wall clock of {@link #zone} into a time. */
  void place(long wall) {
    offset = 0;
    if (!utc) {
      long quarter = Math.floorDiv(wall, 900L);
      if (quarter != cachedQuarter) {
        cachedQuarter = quarter;
        cachedOffset = offsetMinutes(zone, Instant.ofEpochSecond(wall));
      }
      offset = cachedOffset;
    }
    second = wall - offset * 60L;
  }

  /** The offset of a zone at a wall clock, which is given as if it were UTC; minutes. */
  static int offsetMinutes(ZoneId zone, Instant wallAsUtc) {
    LocalDateTime wall = LocalDateTime.ofInstant(wallAsUtc, ZoneOffset.UTC);
    return zone.getRules().getOffset(wall).getTotalSeconds() / 60;
  }
}
