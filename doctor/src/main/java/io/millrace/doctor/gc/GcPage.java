package io.millrace.doctor.gc;

import io.millrace.doctor.page.Html;
import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** GC logs as one HTML file: the figures, the pauses and the heap over time. */
public final class GcPage {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 220;
  private static final int MOST_POINTS = 4_000;

  private GcPage() {}

  public static String of(List<GcSummary> logs) {
    StringBuilder out = new StringBuilder("<h1>Garbage collections</h1>\n");
    for (GcSummary log : logs) {
      out.append("<h2>")
          .append(Html.text(log.file()))
          .append("</h2>\n<pre>")
          .append(Html.text(GcText.of(log)))
          .append("</pre>\n");
      plot(
          out,
          log,
          "pauses, ms",
          log.pauses().stream().filter(e -> e.millis() > 0).toList(),
          GcEvent::millis);
      plot(
          out,
          log,
          "heap after collections, MB",
          log.events().stream().filter(e -> e.after() >= 0).toList(),
          e -> e.after() / 1048576.0);
    }
    return Html.page("Garbage collections", out.toString());
  }

  private static void plot(
      StringBuilder out,
      GcSummary log,
      String title,
      List<GcEvent> events,
      ToDoubleFunction<GcEvent> value) {
    if (events.isEmpty()) {
      return;
    }
    double most = Math.max(1e-3, events.stream().mapToDouble(value).max().orElse(1));
    double end = Math.max(1e-3, Math.max(log.seconds(), events.getLast().at()));
    out.append("<svg viewBox=\"0 0 ")
        .append(WIDTH)
        .append(' ')
        .append(HEIGHT)
        .append("\" role=\"img\" aria-label=\"")
        .append(title)
        .append("\">\n");
    out.append("<text x=\"6\" y=\"14\">")
        .append(title)
        .append(", up to ")
        .append(Units.number(most))
        .append("; ")
        .append(Units.time(end * 1_000))
        .append("</text>\n");
    int step = Math.max(1, events.size() / MOST_POINTS);
    for (int i = 0; i < events.size(); i++) {
      GcEvent event = events.get(i);
      boolean full = event.kind() == GcEvent.Kind.FULL;
      if (i % step == 0 || full) { // full collections are never thinned out
        double x = event.at() / end * (WIDTH - 10) + 5;
        double height = value.applyAsDouble(event) / most * (HEIGHT - 30);
        out.append(
            String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"2\" height=\"%.1f\" fill=\"var(--plot%s)\"/>%n",
                x,
                HEIGHT - 4 - height,
                Math.max(1, height),
                full ? "2" : ""));
      }
    }
    out.append("</svg>\n");
  }
}
