package io.millrace.bench.os;

import io.millrace.bench.stats.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Times in which every thread of a JVM stood still, from its own safepoint log ({@code
 * -Xlog:safepoint:...:timemillis}): collections and everything else, the way to the safepoint
 * included, for every collector. An allocation stall is no safepoint and does not show here.
 *
 * <p>The percentile is of collections' safepoints only: between them a JVM has many short ones of
 * other causes, and the more of those the better the percentile would look.
 *
 * @param longestMillis the longest, of any cause
 * @param p99CollectionMillis 99th percentile of those of a collection; 0 where there was none
 * @param totalMillis all of them
 * @param count how many
 * @param collections how many of them were a collection's
 */
public record Pauses(
    double longestMillis,
    double p99CollectionMillis,
    double totalMillis,
    int count,
    int collections) {
  private static final Pattern LINE =
      Pattern.compile("^\\[(\\d+)ms\\] *Safepoint \"([^\"]*)\".*\\bTotal: *(\\d+) ns");

  /**
   * VM operations of the collectors: {@code G1CollectForAllocation}, {@code G1PauseRemark}, {@code
   * ZMarkStartYoung}, {@code ZRelocateStartOld}, {@code ParallelGCFailedAllocation}, {@code
   * SerialCollectForAllocation}, {@code GenCollectForAllocation} (JDK 21), {@code
   * CollectForMetadataAllocation}.
   */
  private static final Pattern COLLECTION =
      Pattern.compile("(G1|Z(Mark|Relocate|Verify)|Parallel|Serial|Gen|Shenandoah).*|.*Collect.*");

  /**
   * Those that ended in a span of time.
   *
   * @param fromMillis time of day, inclusive
   * @param toMillis time of day, inclusive
   */
  public static Pauses between(Path log, long fromMillis, long toMillis) throws IOException {
    if (!Files.exists(log)) {
      return of(List.of(), fromMillis, toMillis);
    }
    try (Stream<String> lines = Files.lines(log)) {
      return of(lines.toList(), fromMillis, toMillis);
    }
  }

  static Pauses of(List<String> lines, long fromMillis, long toMillis) {
    double longest = 0;
    double total = 0;
    int count = 0;
    List<Double> collections = new ArrayList<>();
    for (String line : lines) {
      Matcher m = LINE.matcher(line);
      if (m.find()) {
        long at = Long.parseLong(m.group(1));
        if (at >= fromMillis && at <= toMillis) {
          double millis = Long.parseLong(m.group(3)) / 1e6;
          longest = Math.max(longest, millis);
          total += millis;
          count++;
          if (COLLECTION.matcher(m.group(2)).matches()) {
            collections.add(millis);
          }
        }
      }
    }
    double p99 = collections.isEmpty() ? 0 : Series.of(collections).percentile(99);
    return new Pauses(longest, p99, total, count, collections.size());
  }
}
