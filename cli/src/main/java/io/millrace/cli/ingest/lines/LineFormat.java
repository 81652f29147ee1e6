package io.millrace.cli.ingest.lines;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** A format ready to read lines: its patterns compiled, its own zone applied. */
final class LineFormat {
  private final FormatDefinition definition;
  private final TimeScanner time;
  private final List<FormatPattern> patterns = new ArrayList<>();

  LineFormat(FormatDefinition definition, ZoneId zone) {
    this.definition = definition;
    ZoneId own = definition.zone() == null ? zone : definition.zone();
    time = new TimeScanner(own);
    TimeFormats formats = new TimeFormats(definition.times(), own);
    for (PatternSource pattern : definition.patterns()) {
      patterns.add(new FormatPattern(pattern, formats, definition.levels()));
    }
  }

  FormatDefinition definition() {
    return definition;
  }

  /** What this format's times without year, and with dates of three numbers, go by. */
  void facts(long reference, DateOrder order) {
    time.reference(reference);
    time.order(order);
  }

  /** Takes a line or an event apart; false when no pattern matches. */
  boolean parse(ParsedLine out) {
    String line = out.line();
    for (int i = 0; i < patterns.size(); i++) {
      if (patterns.get(i).parse(out, time)) {
        out.reader(definition.name());
        return true;
      }
      out.reset(line);
    }
    return false;
  }

  /** Whether a line can be the first of an event. */
  boolean begins(String line, String lineBefore) {
    if (definition.begin() == null) {
      return true;
    }
    return definition.begin().matcher(line).lookingAt()
        && (definition.stays() == null || !definition.stays().matcher(lineBefore).lookingAt());
  }

  int weight() {
    return patterns.stream().mapToInt(FormatPattern::weight).max().orElse(0);
  }
}
