package io.millrace.cli.ingest.lines;

import io.millrace.corpus.JsonBuffer;
import java.math.BigDecimal;

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

  JsonTimes(TimeScanner scanner, TimeFormats formats) {
    this.scanner = scanner;
    this.formats = formats;
  }

  /** Forgets the document before. */
  void start() {
    epochSecond = 0;
    epochNano = 0;
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
    if (number || looksLikeNumber(text)) {
      if (count(text)) {
        epochSecond = second;
        return true;
      }
      if (number) {
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
