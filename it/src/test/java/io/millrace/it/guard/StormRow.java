package io.millrace.it.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What one storm did to one node.
 *
 * @param run counted from 1
 * @param longestOutage the longest time without an answer to a small request, in seconds
 * @param outOfMemory whether an OutOfMemoryError is in the node's log
 * @param end serves, zombie (alive, answers nothing) or dead, half a minute after the clients left
 * @param heapSeconds from the clients' leaving until the heap was below 60 %; infinite: never seen
 * @param acknowledged documents that the node promised
 * @param lost those of them that are not there, after a restart if the node did not serve
 * @param small done and offered bulks of a small client that writes on through the storm
 * @param answers by client and status
 * @param alarms seconds from the start until each alarm; empty without Millrace
 * @param alarmSeconds the longest time from a guard's first act to its alarm; infinite: none came
 * @param percent of the capacity that is done at 4x; not a number for other storms
 * @param own what only this storm has to tell
 * @param misses promises that were not kept; judged for Millrace only
 */
record StormRow(
    int run,
    StormKind storm,
    StormSetup side,
    double longestOutage,
    boolean outOfMemory,
    End end,
    double heapSeconds,
    long acknowledged,
    long lost,
    String small,
    Map<String, Map<String, Integer>> answers,
    String alarms,
    double alarmSeconds,
    double percent,
    String own,
    List<String> misses) {

  /** How a node is found after a storm. */
  enum End {
    SERVES,
    ZOMBIE,
    DEAD
  }

  static final List<String> HEAD =
      List.of(
          "| run | storm | side | longest outage | OOM in the log | at the end | heap < 60 % after |"
              + " acknowledged | lost | small client | answers | alarms | of itself |",
          "|---|---|---|---|---|---|---|---|---|---|---|---|---|");

  private static String seconds(double value) {
    return Double.isInfinite(value) ? "not seen" : String.format(Locale.ROOT, "%.1f s", value);
  }

  /** A line of the table. */
  String line() {
    return String.format(
        Locale.ROOT,
        "| %d | %s | %s | %s | %s | %s | %s | %,d | %,d | %s | %s | %s | %s |",
        run,
        storm.label(),
        side.name(),
        seconds(longestOutage) + (end == End.SERVES ? "" : " and on"),
        outOfMemory ? "yes" : "no",
        end.name().toLowerCase(Locale.ROOT),
        seconds(heapSeconds),
        acknowledged,
        lost,
        small,
        answers.isEmpty() ? "" : answers,
        alarms,
        own + (misses.isEmpty() ? "" : " **missed: " + String.join("; ", misses) + "**"));
  }

  /** Medians and worst cases over the runs, a line for each storm and side. */
  static List<String> closing(List<StormRow> rows) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "| storm | side | runs | longest outage, median / worst | OOM | zombie | dead | heap < 60 %"
            + " after, median / worst | lost | alarm after the guard acted, worst | of the capacity,"
            + " median / worst | runs with a miss |");
    lines.add("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (StormKind storm : StormKind.values()) {
      for (StormSetup side : StormSetup.ALL) {
        List<StormRow> of =
            rows.stream().filter(row -> row.storm == storm && row.side.equals(side)).toList();
        if (!of.isEmpty()) {
          lines.add(closing(storm, side, of));
        }
      }
    }
    return lines;
  }

  private static String closing(StormKind storm, StormSetup side, List<StormRow> rows) {
    List<Double> outages = rows.stream().map(StormRow::longestOutage).sorted().toList();
    List<Double> heaps = rows.stream().map(StormRow::heapSeconds).sorted().toList();
    List<Double> percents = rows.stream().map(StormRow::percent).sorted().toList();
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %s / %s | %d | %d | %d | %s / %s | %,d | %s | %s | %s |",
        storm.label(),
        side.name(),
        rows.size(),
        seconds(outages.get(rows.size() / 2)),
        seconds(outages.get(rows.size() - 1)),
        rows.stream().filter(StormRow::outOfMemory).count(),
        rows.stream().filter(row -> row.end == End.ZOMBIE).count(),
        rows.stream().filter(row -> row.end == End.DEAD).count(),
        seconds(heaps.get(rows.size() / 2)),
        seconds(heaps.get(rows.size() - 1)),
        rows.stream().mapToLong(StormRow::lost).sum(),
        side.ours()
            ? seconds(rows.stream().mapToDouble(StormRow::alarmSeconds).max().orElse(0))
            : "",
        storm == StormKind.WRITES
            ? String.format(
                Locale.ROOT, "%.0f %% / %.0f %%", percents.get(rows.size() / 2), percents.get(0))
            : "",
        side.ours() ? rows.stream().filter(row -> !row.misses.isEmpty()).count() : "");
  }
}
