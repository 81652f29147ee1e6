package io.millrace.bench.report;

import io.millrace.bench.stats.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Horizontal bars in inline SVG: the bar is the median, the dots are the rounds, an optional dashed
 * line is the limit (raw Lucene). No script, no font, nothing loaded from anywhere.
 */
final class BarChart {
  private static final int LABELS = 190;
  private static final int PLOT = 470;
  private static final int FIGURES = 130;
  private static final int ROW = 30;

  /** A bar; {@code tone} picks its colour, 0 is the baseline's. */
  private record Bar(String label, Series series, int tone) {}

  private final String title;
  private final String unit;
  private final List<Bar> bars = new ArrayList<>();
  private @Nullable Series limit;
  private String limitLabel = "";

  BarChart(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  void bar(String label, Series series, int tone) {
    bars.add(new Bar(label, series, tone));
  }

  /** A line across all bars. */
  void limit(String label, Series series) {
    limitLabel = label;
    limit = series;
  }

  boolean isEmpty() {
    return bars.isEmpty();
  }

  String svg() {
    double top = limit == null ? 0 : limit.median();
    for (Bar bar : bars) {
      top = Math.max(top, bar.series().max());
    }
    double scale = PLOT / (top == 0 ? 1 : top);
    int head = limit == null ? 6 : 24;
    int height = head + bars.size() * ROW + 6;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<figure><figcaption>%s%s</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\""
                + " aria-label=\"%s\">",
            Markup.escape(title),
            unit.isEmpty() ? "" : " (" + Markup.escape(unit) + ")",
            LABELS + PLOT + FIGURES,
            height,
            Markup.escape(title)));
    int y = head;
    for (Bar bar : bars) {
      row(svg, bar, y, scale);
      y += ROW;
    }
    if (limit != null) {
      double x = LABELS + limit.median() * scale;
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"18\" y2=\"%d\"/>"
                  + "<text class=\"note\" x=\"%.1f\" y=\"13\" text-anchor=\"middle\">%s %s</text>",
              x,
              x,
              height - 4,
              x,
              Markup.escape(limitLabel),
              Figures.of(limit.median(), unit)));
    }
    return svg.append("</svg></figure>\n").toString();
  }

  private void row(StringBuilder svg, Bar bar, int y, double scale) {
    double width = Math.max(1, bar.series().median() * scale);
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                + "<rect class=\"tone%d\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
            LABELS - 8,
            y + 17,
            Markup.escape(bar.label()),
            bar.tone() % Tones.COUNT,
            LABELS,
            y + 3,
            width,
            ROW - 10));
    double right = width;
    for (double value : bar.series().values()) {
      double x = value * scale;
      right = Math.max(right, x);
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle class=\"round\" cx=\"%.1f\" cy=\"%d\" r=\"3\"/>",
              LABELS + x,
              y + 3 + (ROW - 10) / 2));
    }
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%d\">%s</text>",
            LABELS + right + 8,
            y + 17,
            Markup.escape(Figures.of(bar.series().median(), unit))));
  }
}
