package io.millrace.doctor.top;

import io.millrace.doctor.unit.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Columns of text: the first to the left, numbers to the right, each line cut to a width. */
final class TextTable {
  private final List<String> head;
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... head) {
    this.head = List.of(head);
  }

  void row(String... cells) {
    rows.add(Arrays.stream(cells).map(Units::plain).toList());
  }

  /** The head and as many rows as there is room for. */
  List<String> lines(int width, int most) {
    List<List<String>> shown = new ArrayList<>();
    shown.add(head);
    shown.addAll(rows.subList(0, Math.min(Math.max(0, most), rows.size())));
    int[] wide =
        IntStream.range(0, head.size())
            .map(i -> shown.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    // the name gives way, so that its numbers stay
    int rest = IntStream.range(1, wide.length).map(i -> wide[i] + 2).sum();
    wide[0] = Math.max(8, Math.min(wide[0], width - rest));
    return shown.stream().map(row -> line(row, wide, width)).toList();
  }

  private static String line(List<String> row, int[] wide, int width) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < wide.length; i++) {
      String cell = row.get(i);
      if (cell.length() > wide[i]) {
        cell = cell.substring(0, wide[i] - 1) + "~";
      }
      String gap = " ".repeat(wide[i] - cell.length());
      line.append(i == 0 ? cell + gap : "  " + gap + cell);
    }
    return line.length() > width ? line.substring(0, width) : line.toString().stripTrailing();
  }
}
