package io.millrace.doctor.gc;

import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.Locale;

/** A GC log in a terminal. */
public final class GcText {
  private GcText() {}

  public static String of(GcSummary log) {
    StringBuilder out = new StringBuilder();
    out.append(log.file())
        .append(": ")
        .append(log.collector())
        .append(", ")
        .append(Units.time(log.seconds() * 1_000));
    out.append(", ").append(Units.number(log.lines())).append(" lines\n");
    log.notes().forEach(note -> out.append("  note: ").append(note).append('\n'));
    row(
        out,
        "pauses",
        log.pauses().size()
            + ", "
            + Units.time(log.pausedMillis())
            + " together, "
            + Units.percent(log.pausedShare())
            + " of the time");
    row(
        out,
        "length",
        "median "
            + Units.time(log.quantile(0.5))
            + ", p99 "
            + Units.time(log.quantile(0.99))
            + ", longest "
            + Units.time(log.longest()));
    for (GcEvent.Kind kind : GcEvent.Kind.values()) {
      List<GcEvent> events = log.of(kind).stream().filter(e -> e.millis() > 0).toList();
      if (!events.isEmpty()) {
        double millis = events.stream().mapToDouble(GcEvent::millis).sum();
        row(
            out,
            "  " + kind.name().toLowerCase(Locale.ROOT),
            events.size()
                + ", "
                + Units.time(millis)
                + ", one each "
                + Units.time(log.seconds() * 1_000 / events.size()));
      }
    }
    row(out, "allocated", Units.size(log.allocatedPerSecond()) + "/s");
    size(out, "promoted", log.promotedBytes());
    size(out, "heap", log.heapBytes());
    size(out, "young", log.youngBytes());
    size(out, "old", log.oldBytes());
    size(out, "live set", log.liveBytes());
    List<GcAdvice> advice = GcAdvice.of(log);
    out.append(advice.isEmpty() ? "  Nothing in this log asks for a change.\n" : "");
    for (GcAdvice each : advice) {
      out.append("  ! ").append(each.what()).append("\n      ").append(each.cure()).append('\n');
    }
    return out.toString();
  }

  private static void size(StringBuilder out, String name, long bytes) {
    if (bytes >= 0) {
      row(out, name, Units.size(bytes));
    }
  }

  private static void row(StringBuilder out, String name, String value) {
    out.append(String.format(Locale.ROOT, "  %-13s%s%n", name, value));
  }
}
