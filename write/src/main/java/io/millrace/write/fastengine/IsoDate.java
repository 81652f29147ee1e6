package io.millrace.write.fastengine;

/**
 * ISO-8601 instants to milliseconds without java.time, which took 8 % of stock's CPU on log
 * documents (write.md of the design, profile of stock with an asynchronous translog).
 *
 * <p>Covers {@code yyyy-MM-dd}, and that with {@code THH:mm:ss}, one to nine digits of fraction
 * after a point, and {@code Z}, {@code +HH:mm} or nothing (UTC) behind it; years 1000 to 9999. All
 * of these mean the same to {@code strict_date_optional_time}
 * (DateFormatters#STRICT_DATE_OPTIONAL_TIME_FORMATTER at 3.8.0); every other form is left to it.
 * Days are counted as in H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
 * days_from_civil.
 */
final class IsoDate {
  /** Not one of the covered forms. */
  static final long NONE = Long.MIN_VALUE;

  private static final int[] POWERS = {
    1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100, 10, 1
  };

  private IsoDate() {}

  /** Milliseconds since 1970-01-01T00:00Z, or {@link #NONE}. */
  static long millis(byte[] b, int at, int length) {
    if (length < 10 || b[at + 4] != '-' || b[at + 7] != '-') {
      return NONE;
    }
    int century = two(b, at);
    int yearOfCentury = two(b, at + 2);
    int month = two(b, at + 5);
    int day = two(b, at + 8);
    if ((century | yearOfCentury | month | day) < 0) {
      return NONE;
    }
    int year = century * 100 + yearOfCentury;
    if (year < 1000 || month < 1 || month > 12 || day < 1 || day > daysOf(month, year)) {
      return NONE;
    }
    long millis = days(year, month, day) * 86_400_000L;
    if (length == 10) {
      return millis;
    }
    if (length < 19 || b[at + 10] != 'T' || b[at + 13] != ':' || b[at + 16] != ':') {
      return NONE;
    }
    int hour = two(b, at + 11);
    int minute = two(b, at + 14);
    int second = two(b, at + 17);
    if ((hour | minute | second) < 0 || hour > 23 || minute > 59 || second > 59) {
      return NONE;
    }
    millis += (hour * 60L + minute) * 60_000L + second * 1_000L;
    int p = at + 19;
    int end = at + length;
    if (p < end && b[p] == '.') {
      p++;
      int nanos = 0;
      int first = p;
      while (p < end && p - first < 9 && JsonBytes.isDigit(b[p])) {
        nanos = nanos * 10 + (b[p] - '0');
        p++;
      }
      if (p == first) {
        return NONE;
      }
      millis += nanos * (long) POWERS[p - first] / 1_000_000L;
    }
    if (p == end) {
      return millis;
    }
    if (b[p] == 'Z') {
      return p + 1 == end ? millis : NONE;
    }
    if ((b[p] != '+' && b[p] != '-') || end - p != 6 || b[p + 3] != ':') {
      return NONE;
    }
    int hours = two(b, p + 1);
    int minutes = two(b, p + 4);
    // java.time allows offsets up to 18 hours
    if ((hours | minutes) < 0 || hours > 17 || minutes > 59) {
      return NONE;
    }
    long shift = (hours * 60L + minutes) * 60_000L;
    return b[p] == '+' ? millis - shift : millis + shift;
  }

  /**
   * Nanoseconds beyond the milliseconds that {@link #millis} gave for the same text; 0 where the
   * fraction has no more than three digits.
   */
  static int nanosOfMilli(byte[] b, int at, int length) {
    int digits = 0;
    int nanos = 0;
    if (length > 20 && b[at + 19] == '.') {
      for (int p = at + 20; p < at + length && digits < 9 && JsonBytes.isDigit(b[p]); p++) {
        nanos = nanos * 10 + (b[p] - '0');
        digits++;
      }
    }
    return (int) (nanos * (long) POWERS[digits] % 1_000_000L);
  }

  private static int two(byte[] b, int at) {
    int tens = b[at] - '0';
    int ones = b[at + 1] - '0';
    return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
  }

  private static int daysOf(int month, int year) {
    return switch (month) {
      case 2 -> (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  private static long days(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year;
    int era = y / 400;
    int yearOfEra = y - era * 400;
    int dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097L + dayOfEra - 719_468L;
  }
}
