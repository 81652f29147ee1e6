package io.millrace.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What the index bytes of each side are made of: one stacked bar per side, with a legend. */
final class StackedBars {
  private static final int LABELS = 190;
  private static final int PLOT = 500;
  private static final int FIGURES = 100;
  private static final int ROW = 30;
  private static final int LEGEND = 20;

  private record Bar(String label, Map<String, Long> parts) {
    long sum() {
      return parts.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private final List<Bar> bars = new ArrayList<>();

  void bar(String label, Map<String, Long> parts) {
    if (!parts.isEmpty()) {
      bars.add(new Bar(label, parts));
    }
  }

  boolean isEmpty() {
    return bars.isEmpty();
  }

  String svg(double documents) {
    List<String> names = names();
    double top = bars.stream().mapToLong(Bar::sum).max().orElse(1);
    int legendRows = (names.size() + 3) / 4;
    int height = bars.size() * ROW + legendRows * LEGEND + 12;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<figure><figcaption>index bytes per document by what the files hold</figcaption>"
                + "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"index bytes\">",
            LABELS + PLOT + FIGURES,
            height));
    int y = 4;
    for (Bar bar : bars) {
      row(svg, bar, names, y, PLOT / top, documents);
      y += ROW;
    }
    legend(svg, names, y + 12);
    return svg.append("</svg></figure>\n").toString();
  }

  /** The parts in order of their size over all sides. */
  private List<String> names() {
    Set<String> names = new LinkedHashSet<>();
    bars.forEach(bar -> names.addAll(bar.parts().keySet()));
    List<String> sorted = new ArrayList<>(names);
    sorted.sort((a, b) -> Long.compare(total(b), total(a)));
    return sorted;
  }

  private long total(String name) {
    return bars.stream().mapToLong(bar -> bar.parts().getOrDefault(name, 0L)).sum();
  }

  private static void row(
      StringBuilder svg, Bar bar, List<String> names, int y, double scale, double documents) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
            LABELS - 8,
            y + 17,
            Markup.escape(bar.label())));
    double x = LABELS;
    for (int i = 0; i < names.size(); i++) {
      double bytes = bar.parts().getOrDefault(names.get(i), 0L);
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"tone%d\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s: %s"
                  + " B per document</title></rect>",
              i % Tones.COUNT,
              x,
              y + 3,
              bytes * scale,
              ROW - 10,
              Markup.escape(names.get(i)),
              Figures.of(bytes / documents)));
      x += bytes * scale;
    }
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%d\">%s B</text>",
            x + 8,
            y + 17,
            Figures.of(bar.sum() / documents)));
  }

  private static void legend(StringBuilder svg, List<String> names, int y) {
    for (int i = 0; i < names.size(); i++) {
      int x = LABELS + i % 4 * 150;
      int line = y + i / 4 * LEGEND;
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"tone%d\" x=\"%d\" y=\"%d\" width=\"10\" height=\"10\"/>"
                  + "<text class=\"note\" x=\"%d\" y=\"%d\">%s</text>",
              i % Tones.COUNT,
              x,
              line - 9,
              x + 15,
              line,
              Markup.escape(names.get(i))));
    }
  }
}
