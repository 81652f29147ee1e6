package io.millrace.bench.os;

import io.millrace.bench.stats.Series;
import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Times in which every thread of a JVM stood still, from its own safepoint log ({@code
 * -Xlog:safepoint:...:timemillis}), for every collector and every other cause. An allocation stall
 * is no safepoint and does not show here.
 *
 * <p>The JVM tells apart what a pause is made of (HotSpot, {@code runtime/safepoint.cpp}, {@code
 * SafepointTracing::end}), and the parts have different owners. <em>At safepoint</em> is the
 * operation, so the collector's own work. <em>Reaching safepoint</em> is the time until the last
 * running thread has stopped, and on a machine whose cores are all busy mostly the time until that
 * thread is given a core on which it can stop. <em>Total</em> is both, with {@code Cleanup} (up to
 * JDK 24) or {@code Leaving safepoint} (JDK 25): what a request feels. All three are kept: the
 * first alone would hide what the machine adds, the last alone who is to blame.
 *
 * <p>Percentiles are of collections' safepoints only: between them a JVM has many short ones of
 * other causes, and the more of those the better the percentile would look.
 *
 * @param whole from the request to stop until all threads run again ({@code Total})
 * @param atSafepoint of which the operation itself
 * @param reaching of which the way there
 * @param totalMillis all of the whole ones
 * @param count how many
 * @param collections how many of them were a collection's
 */
public record Pauses(
    Part whole, Part atSafepoint, Part reaching, double totalMillis, int count, int collections) {
  private static final String START = "Safepoint \"";

  private static final Pattern LINE =
      Pattern.compile(
          "^\\[(\\d+)ms\\] *"
              + START
              + "([^\"]*)\",.* Reaching safepoint: *(\\d+) ns,.* At safepoint: *(\\d+) ns,"
              + ".* Total: *(\\d+) ns\\b");

  /**
   * VM operations of the collectors: {@code G1CollectForAllocation}, {@code G1PauseRemark}, {@code
   * ZMarkStartYoung}, {@code ZRelocateStartOld}, {@code ParallelGCFailedAllocation}, {@code
   * SerialCollectForAllocation}, {@code GenCollectForAllocation} (JDK 21), {@code
   * CollectForMetadataAllocation}.
   */
  private static final Pattern COLLECTION =
      Pattern.compile("(G1|Z(Mark|Relocate|Verify)|Parallel|Serial|Gen|Shenandoah).*|.*Collect.*");

  /**
   * One part of the pauses.
   *
   * @param longestMillis the longest, of any cause
   * @param p99CollectionMillis 99th percentile of those of a collection; 0 where there was none
   */
  public record Part(double longestMillis, double p99CollectionMillis) {
    private static Part of(List<Safepoint> safepoints, ToDoubleFunction<Safepoint> nanos) {
      double longest = safepoints.stream().mapToDouble(nanos).max().orElse(0);
      double[] collections =
          safepoints.stream().filter(Safepoint::isCollection).mapToDouble(nanos).toArray();
      double p99 = collections.length == 0 ? 0 : Series.of(collections).percentile(99);
      return new Part(longest / 1e6, p99 / 1e6);
    }
  }

  private record Safepoint(String cause, long reaching, long at, long total) {
    boolean isCollection() {
      return COLLECTION.matcher(cause).matches();
    }
  }

  /**
   * Those that ended in a span of time.
   *
   * @param fromMillis time of day, inclusive
   * @param toMillis time of day, inclusive
   * @throws BenchFailure when the log has a form that is not known: no pauses found must mean that
   *     there were none
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
    List<Safepoint> safepoints = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher m = LINE.matcher(lines.get(i));
      if (m.find()) {
        long at = Long.parseLong(m.group(1));
        if (at >= fromMillis && at <= toMillis) {
          safepoints.add(
              new Safepoint(
                  m.group(2),
                  Long.parseLong(m.group(3)),
                  Long.parseLong(m.group(4)),
                  Long.parseLong(m.group(5))));
        }
      } else if (lines.get(i).contains(START) && i < lines.size() - 1) { // the last may be half
        throw new BenchFailure("a safepoint of this JVM's log is not understood: " + lines.get(i));
      }
    }
    return new Pauses(
        Part.of(safepoints, Safepoint::total),
        Part.of(safepoints, Safepoint::at),
        Part.of(safepoints, Safepoint::reaching),
        safepoints.stream().mapToDouble(Safepoint::total).sum() / 1e6,
        safepoints.size(),
        (int) safepoints.stream().filter(Safepoint::isCollection).count());
  }
}
