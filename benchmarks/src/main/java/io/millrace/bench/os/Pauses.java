package io.millrace.bench.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Times in which every thread of a JVM stood still, from its own safepoint log ({@code
 * -Xlog:safepoint:...:timemillis}): collections and everything else, the way to the safepoint
 * included, for every collector. An allocation stall is no safepoint and does not show here.
 *
 * @param longestMillis the longest
 * @param totalMillis all of them
 * @param count how many
 */
public record Pauses(double longestMillis, double totalMillis, int count) {
  private static final Pattern LINE = Pattern.compile("^\\[(\\d+)ms\\].*\\bTotal: *(\\d+) ns");

  /**
   * Those that ended in a span of time.
   *
   * @param fromMillis time of day, inclusive
   * @param toMillis time of day, inclusive
   */
  public static Pauses between(Path log, long fromMillis, long toMillis) throws IOException {
    if (!Files.exists(log)) {
      return new Pauses(0, 0, 0);
    }
    try (Stream<String> lines = Files.lines(log)) {
      return of(lines.toList(), fromMillis, toMillis);
    }
  }

  static Pauses of(List<String> lines, long fromMillis, long toMillis) {
    double longest = 0;
    double total = 0;
    int count = 0;
    for (String line : lines) {
      Matcher m = LINE.matcher(line);
      if (m.find()) {
        long at = Long.parseLong(m.group(1));
        if (at >= fromMillis && at <= toMillis) {
          double millis = Long.parseLong(m.group(2)) / 1e6;
          longest = Math.max(longest, millis);
          total += millis;
          count++;
        }
      }
    }
    return new Pauses(longest, total, count);
  }
}
