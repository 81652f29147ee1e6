package io.millrace.cli.ingest;

import io.millrace.corpus.JsonBuffer;
import io.millrace.doctor.unit.Units;
import java.util.Locale;

/** The one line that ends a load. */
final class Summary {
  private Summary() {}

  /** For people. */
  static String text(Counters c, String index, double seconds) {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "%d read, %d indexed, %d refused, %d retried",
            c.read.sum(),
            c.indexed.sum(),
            c.refused.sum(),
            c.retried.sum()));
    optional(line, c.already.sum(), "already there");
    optional(line, c.unsent.sum(), "not acknowledged");
    optional(line, c.maybeTwice.sum(), "possibly twice");
    optional(line, c.invalidUtf8.sum(), "with bytes that are not UTF-8, read as Windows-1252");
    optional(line, c.headers.sum(), "header lines left out");
    optional(line, c.neighbourTime.sum(), "with the time of the line before");
    optional(line, c.dateGuessed.sum(), "with a clock only, the day guessed from the file's age");
    optional(line, c.timelessJson.sum(), "JSON without a time (--time-field NAME names it)");
    String example = c.timelessLine();
    if (example != null) {
      optional(line, c.arrivalTime.sum(), "with the TIME OF ARRIVAL, none could be read");
      line.append(" (e.g. \"").append(Units.plain(example.replace('\n', ' ')));
      line.append("\"; --time-format PATTERN says how it is written)");
    }
    line.append(
        String.format(
            Locale.ROOT,
            "; %.1f MB in %.1f s, %.0f docs/s -> %s",
            c.bytes.sum() / 1e6,
            seconds,
            rate(c, seconds),
            index));
    return line.toString();
  }

  private static void optional(StringBuilder line, long count, String what) {
    if (count > 0) {
      line.append(", ").append(count).append(' ').append(what);
    }
  }

  private static double rate(Counters c, double seconds) {
    return c.indexed.sum() / Math.max(0.001, seconds);
  }

  /** For programs: one JSON object. */
  static String json(Counters c, String index, double seconds) {
    JsonBuffer out = new JsonBuffer();
    out.raw("{\"index\":").quoted(index);
    out.raw(",\"read\":").number(c.read.sum()).raw(",\"indexed\":").number(c.indexed.sum());
    out.raw(",\"refused\":").number(c.refused.sum()).raw(",\"retried\":").number(c.retried.sum());
    out.raw(",\"already_there\":").number(c.already.sum());
    out.raw(",\"not_acknowledged\":").number(c.unsent.sum());
    out.raw(",\"possibly_twice\":").number(c.maybeTwice.sum());
    out.raw(",\"invalid_utf8\":").number(c.invalidUtf8.sum());
    out.raw(",\"headers\":").number(c.headers.sum());
    out.raw(",\"time_of_line_before\":").number(c.neighbourTime.sum());
    out.raw(",\"date_guessed\":").number(c.dateGuessed.sum());
    out.raw(",\"json_without_time\":").number(c.timelessJson.sum());
    out.raw(",\"time_of_arrival\":").number(c.arrivalTime.sum());
    String example = c.timelessLine();
    if (example != null) {
      out.raw(",\"time_of_arrival_example\":").quoted(example);
    }
    out.raw(",\"bytes\":").number(c.bytes.sum());
    out.raw(",\"seconds\":").thousandths(Math.round(seconds * 1000));
    out.raw(",\"docs_per_second\":").number(Math.round(rate(c, seconds))).raw('}');
    return out.toString();
  }
}
