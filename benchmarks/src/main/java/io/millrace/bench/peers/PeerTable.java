package io.millrace.bench.peers;

import io.millrace.bench.peers.PeerSearch.Kind;
import io.millrace.bench.stats.Series;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of all sides as tables in Markdown: medians, with the lowest and the highest round in
 * brackets where there are several, and the answers beside those of a side that the others are held
 * against.
 */
final class PeerTable {
  private final Map<String, List<PeerFigures>> sides;

  /**
   * A table of these sides.
   *
   * @param sides the rounds of each side, none of them empty, in the order of the columns
   */
  PeerTable(Map<String, List<PeerFigures>> sides) {
    this.sides = sides;
  }

  /** CPU, bytes and memory. */
  String figures() {
    StringBuilder table = head("");
    row(table, "CPU per document, us", 1, PeerFigures::loadMicros);
    row(table, "of which the JVM's compilers, us", 1, PeerFigures::compilerMicros);
    row(table, "CPU of the merge per document, us", 1, PeerFigures::mergeMicros);
    row(table, "bytes per document, merged", 1, PeerFigures::bytes);
    row(table, "documents per second", 0, PeerTable::documentsPerSecond);
    row(table, "peak of resident memory, MiB", 0, PeerFigures::peakMebibytes);
    for (Kind kind : Kind.values()) {
      row(
          table,
          kind.title() + ": CPU per search, ms",
          3,
          one -> one.searchMicros().getOrDefault(kind, Double.NaN) / 1000);
    }
    return table.toString();
  }

  private static double documentsPerSecond(PeerFigures one) {
    return one.documents() / one.loadSeconds();
  }

  /** How many documents match, and in how many searches a side agrees with the first one. */
  String answers() {
    StringBuilder table = head("searches");
    for (Kind kind : Kind.values()) {
      List<PeerFigures.Found> expected = last(sides.values().iterator().next(), kind);
      if (expected.isEmpty()) {
        continue;
      }
      table.append("| ").append(kind.title()).append(", ").append(expected.size());
      for (List<PeerFigures> rounds : sides.values()) {
        List<PeerFigures.Found> found = last(rounds, kind);
        table.append(
            String.format(
                Locale.ROOT,
                " | %,d; %d and %d equal",
                found.stream().mapToLong(PeerFigures.Found::hits).sum(),
                equal(expected, found, false),
                equal(expected, found, true)));
      }
      table.append(" |\n");
    }
    return table.toString();
  }

  private static int equal(
      List<PeerFigures.Found> expected, List<PeerFigures.Found> found, boolean whole) {
    int equal = 0;
    for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
      boolean same =
          whole
              ? expected.get(i).answer().equals(found.get(i).answer())
              : expected.get(i).hits() == found.get(i).hits();
      equal += same ? 1 : 0;
    }
    return equal;
  }

  private static List<PeerFigures.Found> last(List<PeerFigures> rounds, Kind kind) {
    return rounds.getLast().answers().getOrDefault(kind, List.of());
  }

  private StringBuilder head(String corner) {
    StringBuilder table = new StringBuilder("| ").append(corner);
    sides.keySet().forEach(side -> table.append(" | ").append(side));
    return table.append(" |\n").append("|---".repeat(sides.size() + 1)).append("|\n");
  }

  private void row(
      StringBuilder table, String what, int digits, ToDoubleFunction<PeerFigures> figure) {
    table.append("| ").append(what);
    for (List<PeerFigures> rounds : sides.values()) {
      table.append(" | ").append(cell(rounds.stream().mapToDouble(figure).toArray(), digits));
    }
    table.append(" |\n");
  }

  static String cell(double[] values, int digits) {
    for (double value : values) {
      if (!Double.isFinite(value)) {
        return "-";
      }
    }
    Series series = Series.of(values);
    String number = "%." + digits + "f";
    return values.length == 1
        ? String.format(Locale.ROOT, number, series.median())
        : String.format(
            Locale.ROOT,
            number + " (" + number + " - " + number + ")",
            series.median(),
            series.min(),
            series.max());
  }
}
