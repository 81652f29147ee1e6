package io.millrace.doctor.gc;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of a GC log without its decorations.
 *
 * @param seconds since the JVM started; NaN when the line has no such time
 * @param wall milliseconds since 1970; NaN when the line has no date
 * @param text what follows
 * @param unified whether it is of the format of JDK 9 and newer
 */
record Line(double seconds, double wall, String text, boolean unified) {
  private static final Pattern BRACKETS = Pattern.compile("^((?:\\[[^\\]]*+\\]\\s*+)++)(.*)$");
  private static final Pattern DECORATION = Pattern.compile("\\[([^\\]]*)\\]");
  private static final Pattern UPTIME = Pattern.compile("(\\d+)([.,]\\d+)?(s|ms|ns)");
  private static final Pattern ISO =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3}[+-]\\d{4}");
  private static final Pattern OLD =
      Pattern.compile("^(?:(" + ISO.pattern() + "): )?(?:(\\d+[.,]\\d+): )?(.*)$");
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ", Locale.ROOT);

  /** What containers' logs put before each line: of the CRI, and of Compose. */
  private static final Pattern CONTAINER =
      Pattern.compile("^(?:\\S{20,40} (?:stdout|stderr) [FP] |[\\w.-]{1,80}\\s+\\| )(?=\\[|\\d)");

  static Line of(String line) {
    String raw = CONTAINER.matcher(line).replaceFirst("");
    Matcher brackets = BRACKETS.matcher(raw);
    if (brackets.matches() && decorated(brackets.group(1))) {
      double seconds = Double.NaN;
      double wall = Double.NaN;
      Matcher each = DECORATION.matcher(brackets.group(1));
      while (each.find()) {
        String word = each.group(1).strip();
        Matcher uptime = UPTIME.matcher(word);
        if (uptime.matches()) {
          double scale =
              switch (uptime.group(3)) {
                case "ms" -> 1e-3;
                case "ns" -> 1e-9;
                default -> 1;
              };
          double value =
              number(uptime.group(1) + (uptime.group(2) == null ? "" : uptime.group(2))) * scale;
          if (value < 1e9) { // timemillis and timenanos count from 1970
            seconds = Double.isNaN(seconds) ? value : seconds;
          } else {
            wall = value * 1_000;
          }
        } else if (ISO.matcher(word).matches()) {
          wall = date(word);
        }
      }
      return new Line(seconds, wall, brackets.group(2).strip(), true);
    }
    Matcher old = OLD.matcher(raw);
    if (!old.matches()) {
      return new Line(Double.NaN, Double.NaN, raw, false);
    }
    return new Line(
        old.group(2) == null ? Double.NaN : number(old.group(2)),
        old.group(1) == null ? Double.NaN : date(old.group(1)),
        old.group(3),
        false);
  }

  /** JDK 8 begins a collection with {@code [GC} and lines of detail with {@code [Eden}. */
  private static boolean decorated(String brackets) {
    return brackets.matches("(?s)\\[(?:\\d|trace|debug|info|warning|error|gc|safepoint|0x).*")
        && !brackets.startsWith("[GC");
  }

  /** NaN for a date that does not exist: the rest of the line still counts. */
  private static double date(String text) {
    try {
      return OffsetDateTime.parse(text.replace(',', '.'), DATE).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      return Double.NaN;
    }
  }

  /** A number with a point or, in some locales, a comma. */
  static double number(String text) {
    return Double.parseDouble(text.replace(',', '.'));
  }

  /** Bytes of {@code 117M}, {@code 996800K}, {@code 24.0M}, {@code 0.0B}. */
  static long bytes(String text) {
    char unit = text.charAt(text.length() - 1);
    double value = number(Character.isDigit(unit) ? text : text.substring(0, text.length() - 1));
    int shift =
        switch (unit) {
          case 'K' -> 10;
          case 'M' -> 20;
          case 'G' -> 30;
          case 'T' -> 40;
          default -> 0;
        };
    return (long) (value * (1L << shift));
  }
}
