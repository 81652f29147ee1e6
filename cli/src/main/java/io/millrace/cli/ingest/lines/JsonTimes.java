package io.millrace.cli.ingest.lines;

import io.millrace.corpus.JsonBuffer;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** Times as JSON documents hold them: texts, and numbers since 1970 in any unit. */
final class JsonTimes {
  private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000L);
  private final TimeScanner scanner;
  private final TimeFormats formats;
  private final ParsedLine scratch = new ParsedLine();
  private long second;
  private int nanos;
  private long epochSecond;
  private int epochNano;
  private int nanosBefore;

  JsonTimes(TimeScanner scanner, TimeFormats formats) {
    this.scanner = scanner;
    this.formats = formats;
  }

  /** Forgets the document before. */
  void start() {
    epochSecond = 0;
    epochNano = 0;
    nanosBefore = 0;
  }

  /** Nanoseconds that stand before their seconds, or behind: {@code {"seconds":1,"nanos":2}}. */
  void nanos(String text) {
    if (!text.isEmpty() && text.length() <= 9 && Text.digits(text, 0) == text.length()) {
      nanosBefore = Integer.parseInt(text);
      nanos = epochSecond == second && epochSecond != 0 ? nanosBefore : nanos;
    }
  }

  /** The seconds of such a pair were read. */
  void seconds() {
    nanos = nanosBefore;
  }

  /** {@code [2024,5,6,10,11,12,345000000]}: a local time of Jackson, from five numbers on. */
  boolean read(List<Integer> numbers) {
    if (numbers.size() < 5 || numbers.size() > 7) {
      return false;
    }
    int second = numbers.size() > 5 ? numbers.get(5) : 0;
    int nano = numbers.size() > 6 ? numbers.get(6) : 0;
    String text =
        String.format(
            Locale.ROOT,
            "%04d-%02d-%02d %02d:%02d:%02d.%09d",
            numbers.get(0),
            numbers.get(1),
            numbers.get(2),
            numbers.get(3),
            numbers.get(4),
            second,
            nano);
    return read(text, false);
  }

  /** log4j's {@code "instant": {"epochSecond": 1, "nanoOfSecond": 2}} comes in two numbers. */
  void part(String name, String text) {
    if (name.equals("nanoOfSecond") && epochSecond == second && text.length() <= 9) {
      epochNano = Integer.parseInt(text);
      nanos = epochNano;
    }
  }

  /** Whether the text is a time; it is kept for {@link #write}. */
  boolean read(String text, boolean number) {
    if (text.length() > 64) {
      return false;
    }
    if (text.startsWith("/Date(") && text.endsWith(")/")) {
      return count(text.substring(6, Text.digits(text, 6))); // .NET; its zone is for show
    }
    if (number || looksLikeNumber(text)) {
      if (count(text)) {
        epochSecond = second;
        return true;
      }
      if (number && text.length() != 18) {
        return false;
      }
    }
    scratch.reset(text);
    if (!formats.read(scratch, text, scanner)) {
      return false;
    }
    second = Math.floorDiv(scratch.millis(), 1000L);
    nanos = scratch.nanos();
    return true;
  }

  /** Whether a text can be a date with a clock, or a count since 1970. */
  static boolean isWhole(String text) {
    return looksLikeNumber(text) || text.length() >= 14 && text.indexOf(':') > 0;
  }

  private static boolean looksLikeNumber(String text) {
    int end = Text.digits(text, 0);
    boolean fraction = end < text.length() && text.charAt(end) == '.';
    return end >= 10
        && (end == text.length() || fraction && Text.digits(text, end + 1) == text.length());
  }

  /** Seconds, milli-, micro- or nanoseconds since 1970, by their size. */
  private boolean count(String text) {
    BigDecimal value;
    try {
      value = new BigDecimal(text);
    } catch (NumberFormatException e) {
      return false;
    }
    BigDecimal seconds = value;
    for (int unit = 0;
        unit < 3 && seconds.compareTo(BigDecimal.valueOf(TimeCursor.LATEST)) > 0;
        unit++) {
      seconds = seconds.movePointLeft(3);
    }
    if (seconds.compareTo(BigDecimal.valueOf(TimeCursor.EARLIEST)) < 0
        || seconds.compareTo(BigDecimal.valueOf(TimeCursor.LATEST)) > 0) {
      return false;
    }
    second = seconds.longValue();
    nanos = seconds.subtract(BigDecimal.valueOf(second)).multiply(NANOS).intValue();
    return true;
  }

  void write(JsonBuffer out) {
    ParsedLine.instant(out, second, nanos);
  }
}
