package io.millrace.cli.ingest.lines;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the first lines of a file say about the rest: the format that most of them match,
 * the order of day and month, the word in which seconds since 1970 stand. Each line is judged by
 * itself afterwards.
 */
final class FormatChoice {
  /**
   * @param matches lines that match
   * @param levels those of them whose level is known
   */
  private record Count(LineFormat format, int matches, int levels) {}

  private final List<String> candidates = new ArrayList<>();
  private final List<String> sample;
  private final StringBuilder reason = new StringBuilder();
  private DateOrder order = DateOrder.CUSTOM;

  FormatChoice(List<String> sample) {
    this.sample = sample;
    for (String line : sample) {
      boolean text = !line.isEmpty() && !Character.isWhitespace(line.charAt(0));
      if (text && !EventLines.continues(line)) {
        candidates.add(line);
      }
    }
    if (candidates.isEmpty()) {
      candidates.addAll(sample); // a table whose first column is set to the right
    }
  }

  /** Why it was decided so, a sentence per decision. */
  String reason() {
    return reason.toString();
  }

  private void say(String format, Object... values) {
    reason.append(reason.isEmpty() ? "" : "; ").append(String.format(Locale.ROOT, format, values));
  }

  /** The order of dates of three numbers, by what the sample rules out and by the shortest span. */
  DateOrder order(TimeScanner time, LineRules rules, long reference) {
    ParsedLine out = new ParsedLine();
    time.order(DateOrder.CUSTOM);
    boolean open = false;
    for (String line : candidates) {
      out.reset(line);
      rules.parse(out);
      open |= out.timed() && time.orderOpen();
    }
    if (!open) {
      return DateOrder.CUSTOM;
    }
    double custom = cost(out, time, rules, reference, DateOrder.CUSTOM);
    double best = Double.MAX_VALUE;
    double second = Double.MAX_VALUE;
    for (DateOrder each : DateOrder.values()) {
      double cost =
          each == DateOrder.CUSTOM ? Double.MAX_VALUE : cost(out, time, rules, reference, each);
      if (cost < best) {
        order = each;
      }
      second = Math.min(second, Math.max(best, cost));
      best = Math.min(best, cost);
    }
    if (best > custom || best == custom && best == second) {
      order = DateOrder.CUSTOM; // as good as any, or as two
    }
    time.order(order);
    say(
        order == DateOrder.CUSTOM
            ? "day and month could be either: read as the separator's custom is"
            : "dates are read as %s: the other orders give times that jump or lie ahead",
        order.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    return order;
  }

  /** What speaks against an order, in days; very much, when it fits no line that is open. */
  private double cost(
      ParsedLine out, TimeScanner time, LineRules rules, long reference, DateOrder each) {
    time.order(each);
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    double cost = 0;
    long before = Long.MIN_VALUE;
    boolean applies = each == DateOrder.CUSTOM;
    for (String line : candidates) {
      out.reset(line);
      rules.parse(out);
      if (out.timed()) {
        long millis = out.millis();
        least = Math.min(least, millis);
        most = Math.max(most, millis);
        cost += millis > reference + 86_400_000L ? 1e7 : 0;
        cost += before > millis + 86_400_000L ? 1e5 : 0;
        before = millis;
        applies |= time.orderOpen() && time.orderRead == each;
      }
    }
    return least > most || !applies ? 1e12 : cost + (most - least) / 86_400_000.0;
  }

  /** The format that most lines match, at least half of them; or null. */
  @Nullable LineFormat format(List<LineFormat> formats, LineRules rules) {
    List<Count> counts = new ArrayList<>();
    ParsedLine out = new ParsedLine();
    for (LineFormat format : formats) {
      Count count =
          format.definition().begin() == null ? single(format, out) : several(format, out);
      if (count.matches() > 0) {
        counts.add(count);
      }
    }
    counts.sort(
        Comparator.comparingInt(Count::matches)
            .thenComparingInt(Count::levels)
            .thenComparingInt(c -> c.format().weight())
            .reversed());
    StringBuilder others = new StringBuilder();
    for (int i = 0; i < Math.min(5, counts.size()); i++) {
      Count count = counts.get(i);
      others.append(i == 0 ? "" : ", ").append(count.format().definition().name());
      others.append(' ').append(count.matches());
    }
    if (counts.isEmpty()) {
      say(
          "none of %d formats matches any of the first %d lines: general rules",
          formats.size(), candidates.size());
      return null;
    }
    Count first = counts.get(0);
    FormatDefinition definition = first.format().definition();
    int most =
        definition.begin() != null
            ? sample.size()
            : definition.joins() ? timed(rules) : candidates.size();
    if (first.matches() * 2 < most) {
      say("no format matches half of the first %d lines (%s): general rules", most, others);
      return null;
    }
    say("matches of the first %d lines: %s", candidates.size(), others);
    return first.format();
  }

  /**
   * Formats that some lines match while the file as a whole is read otherwise: those that read a
   * time and take no part in joining, at most two.
   */
  List<LineFormat> others(List<LineFormat> formats, @Nullable LineFormat chosen) {
    ParsedLine out = new ParsedLine();
    List<Count> counts = new ArrayList<>();
    for (LineFormat format : formats) {
      FormatDefinition definition = format.definition();
      if (format != chosen && definition.begin() == null && !definition.joins()) {
        Count count = sure(format, out);
        if (count.matches() * 20 >= candidates.size() && count.matches() > 0) {
          counts.add(count);
        }
      }
    }
    counts.sort(
        Comparator.comparingInt(Count::matches)
            .thenComparingInt(c -> c.format().weight())
            .reversed());
    return counts.stream().limit(2).map(Count::format).toList();
  }

  /** Lines in which a format finds both a time and a level. */
  private Count sure(LineFormat format, ParsedLine out) {
    int matches = 0;
    for (String line : candidates) {
      out.reset(line);
      matches += format.parse(out) && out.timed() && out.level() != null ? 1 : 0;
    }
    return new Count(format, matches, matches);
  }

  /** How many lines have a time by the general rules: those are not to be joined. */
  private int timed(LineRules rules) {
    ParsedLine out = new ParsedLine();
    int timed = 0;
    for (String line : candidates) {
      out.reset(line);
      rules.parse(out);
      timed += out.timed() ? 1 : 0;
    }
    return timed;
  }

  private Count single(LineFormat format, ParsedLine out) {
    int matches = 0;
    int levels = 0;
    for (String line : candidates) {
      out.reset(line);
      boolean match = format.parse(out);
      matches += match ? 1 : 0;
      levels += match && out.level() != null ? 1 : 0;
    }
    return new Count(format, matches, levels);
  }

  /** Lines of events that match as a whole. */
  private Count several(LineFormat format, ParsedLine out) {
    int matches = 0;
    String before = "";
    List<String> event = new ArrayList<>();
    for (String line : sample) {
      if (format.begins(line, before)) {
        matches += whole(format, out, event);
        event.clear();
      }
      event.add(line);
      before = line;
    }
    return new Count(format, matches + whole(format, out, event), 0);
  }

  private static int whole(LineFormat format, ParsedLine out, List<String> event) {
    if (event.isEmpty() || !format.begins(event.get(0), "")) {
      return 0;
    }
    out.reset(String.join("\n", event));
    return format.parse(out) ? event.size() : 0;
  }

  /** The word in which most lines have seconds since 1970, or -1. */
  int epochWord(TimeScanner time) {
    for (int word = 0; word < 16; word++) {
      int good = 0;
      long before = 0;
      int backwards = 0;
      for (String line : candidates) {
        int at = Text.word(line, word);
        if (at >= 0 && time.scanEpoch(line, at)) {
          good++;
          backwards += time.millis() < before - 86_400_000L ? 1 : 0;
          before = time.millis();
        }
      }
      if (good * 10 >= candidates.size() * 8 && backwards * 4 <= good && good > 0) {
        say("word %d holds seconds since 1970", word + 1);
        return word;
      }
    }
    return -1;
  }

  /** Says which columns there are. */
  void columns(Columns columns) {
    say("%s", columns.describe());
  }
}
