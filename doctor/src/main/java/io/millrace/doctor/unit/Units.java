package io.millrace.doctor.unit;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sizes, times and percentages as OpenSearch's settings write them, and as people read them. */
public final class Units {
  private static final Pattern SIZE = Pattern.compile("(-?\\d+(?:\\.\\d+)?)\\s*([kmgtp]?)b?");
  private static final Pattern TIME =
      Pattern.compile("(-?\\d{1,18})\\s*(nanos|micros|ms|s|m|h|d)?");
  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}\\x{202a}-\\x{202e}\\x{2066}-\\x{2069}]");

  private Units() {}

  /** Bytes of {@code 512mb}; -1 when the text is no size. */
  public static long bytes(@Nullable String text) {
    Matcher size = SIZE.matcher(text == null ? "" : text.strip().toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      return -1;
    }
    int power = size.group(2).isEmpty() ? 0 : "kmgtp".indexOf(size.group(2)) + 1;
    return (long) (Double.parseDouble(size.group(1)) * Math.pow(1024, power));
  }

  /** Milliseconds of {@code 30s}; -1 when the text is no time or switches something off. */
  public static long millis(@Nullable String text) {
    Matcher time = TIME.matcher(text == null ? "" : text.strip().toLowerCase(Locale.ROOT));
    if (!time.matches() || time.group(1).startsWith("-")) {
      return -1;
    }
    long amount = Long.parseLong(time.group(1));
    return switch (time.group(2) == null ? "ms" : time.group(2)) {
      case "nanos" -> amount / 1_000_000;
      case "micros" -> amount / 1_000;
      case "s" -> TimeUnit.SECONDS.toMillis(amount);
      case "m" -> TimeUnit.MINUTES.toMillis(amount);
      case "h" -> TimeUnit.HOURS.toMillis(amount);
      case "d" -> TimeUnit.DAYS.toMillis(amount);
      default -> amount;
    };
  }

  /**
   * A text of a server or a file for a terminal: what would control it, or turn its order around,
   * is a question mark.
   */
  public static String plain(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** A number with what it counts: {@code 1 node}, {@code 3 nodes}. */
  public static String counted(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  /** Bytes for people, in powers of 1024. */
  public static String size(double bytes) {
    String[] units = {"B", "KB", "MB", "GB", "TB", "PB"};
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return number(value) + " " + units[unit];
  }

  /** A time for people. */
  public static String time(double millis) {
    if (millis < 1_000) {
      return number(millis) + " ms";
    }
    if (millis < 120_000) {
      return number(millis / 1_000) + " s";
    }
    if (millis < 7_200_000) {
      return number(millis / 60_000) + " min";
    }
    return millis < 172_800_000
        ? number(millis / 3_600_000) + " h"
        : number(millis / 86_400_000) + " days";
  }

  /** A number with as many places as help. */
  public static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return String.format(Locale.ROOT, "%,d", (long) value);
    }
    double size = Math.abs(value);
    String form = size >= 100 ? "%,.0f" : size >= 10 ? "%,.1f" : size >= 0.1 ? "%,.2f" : "%,.4f";
    return String.format(Locale.ROOT, form, value);
  }

  /** A share of 1 as a percentage. */
  public static String percent(double share) {
    return number(Math.round(share * 10_000) / 100.0) + " %";
  }
}
