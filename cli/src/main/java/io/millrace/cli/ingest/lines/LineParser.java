package io.millrace.cli.ingest.lines;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the plain lines of a file apart: by the format that its first lines match, and by general
 * rules where a line does not. Not thread-safe.
 */
public final class LineParser {
  private final TimeScanner time;
  private final TimeScanner utc = new TimeScanner(ZoneOffset.UTC);
  private final LineRules rules;
  private final LevelFinder levels = new LevelFinder();
  private final List<LineFormat> formats = new ArrayList<>();
  private final LineOptions options;
  private List<LineFormat> others = List.of();
  private @Nullable LineFormat format;
  private @Nullable Columns columns;
  private DateOrder order = DateOrder.CUSTOM;
  private String reason = "";

  public LineParser(LineOptions options) {
    this.options = options;
    time = new TimeScanner(options.zone());
    rules = new LineRules(time);
    for (FormatDefinition definition : options.formats()) {
      if (!definition.patterns().isEmpty()) {
        formats.add(new LineFormat(definition, options.zone()));
      }
    }
  }

  /** Rules only, for texts that come without a file. */
  LineParser(ZoneId zone) {
    this(LineOptions.inZone(zone));
  }

  /**
   * What times without a year go by, milliseconds since 1970; see {@link TimeScanner#reference}.
   */
  public void reference(long epochMillis) {
    time.reference(epochMillis);
    utc.reference(epochMillis);
    for (LineFormat each : formats) {
      each.facts(epochMillis, order);
    }
  }

  /** Decides by the first lines of a file how its lines are read. */
  public void choose(List<String> sample) {
    FormatChoice choice = new FormatChoice(sample);
    format = null;
    others = List.of();
    order = DateOrder.CUSTOM;
    rules.epochWord(-1);
    columns =
        options.forced() ? null : Columns.of(sample, time, options.times(), options.timeField());
    if (columns != null) {
      choice.columns(columns);
    } else {
      order = choice.order(time, rules, time.reference());
      reference(time.reference());
      format = choice.format(formats, rules);
      others = inBlocks() ? List.of() : choice.others(formats, format);
      if (format == null && options.times().isEmpty()) {
        rules.epochWord(choice.epochWord(time));
      }
    }
    reason = choice.reason();
  }

  /** Why lines are read as they are. */
  public String reason() {
    return reason;
  }

  /** The name of the format, or how lines are read without one. */
  public String formatName() {
    return format != null
        ? format.definition().name()
        : columns != null ? "columns" : "general rules";
  }

  /** The scanner that reads the times of JSON documents of this file. */
  public TimeScanner scanner() {
    return time;
  }

  /** Whether a line is about the file and no event of it: a header, a directive. */
  public boolean isHeader(String line) {
    return columns != null && columns.isHeader(line);
  }

  /** Whether the lines of an event are taken apart together, see {@link #begins}. */
  public boolean inBlocks() {
    return format != null && format.definition().begin() != null;
  }

  /** Whether an event begins with this line; asked only when lines are taken apart together. */
  public boolean begins(String line, String lineBefore) {
    return format == null || format.begins(line, lineBefore);
  }

  /** Whether the event goes on because a quoted cell is open. */
  public boolean isOpen(String event) {
    return columns != null && columns.isOpen(event);
  }

  /** Whether a line that the format does not match belongs to the event before it. */
  public boolean joins(ParsedLine line) {
    return format != null
        && format.definition().joins()
        && !line.timed()
        && !line.reader().equals(format.definition().name());
  }

  /** Takes a line, or all lines of an event, apart. */
  public void parse(String line, ParsedLine out) {
    out.reset(line);
    if (format != null && format.parse(out)) {
      if (!options.times().isEmpty() && options.times().find(out, time)) {
        out.inexact(); // the user's word on how the time is written stands over the format's
      }
      return;
    }
    if (columns != null && columns.parse(out, columns.inUtc() ? utc : time, options.times())) {
      out.reader("columns");
      return;
    }
    if (!options.times().isEmpty() && options.times().find(out, time)) {
      out.reader("--time-format");
      levels.find(out, 0);
      return;
    }
    for (LineFormat other : others) {
      if (other.parse(out)) {
        if (out.timed() && out.level() != null) {
          return;
        }
        out.reset(line);
      }
    }
    rules.parse(out);
  }

  /** The level that a message names, or null. */
  public @Nullable String levelOf(String message) {
    ParsedLine scratch = new ParsedLine();
    scratch.reset(message);
    if (!message.isEmpty()) {
      rules.parse(scratch);
    }
    return scratch.level();
  }

  /** A level before a colon at the front of a second line, as java.util.logging writes it. */
  public void levelOfSecondLine(String line, ParsedLine event) {
    int end = TimeWords.wordEnd(line, 0);
    if (event.level() == null && end < line.length() && line.charAt(end) == ':') {
      event.level(Level.of(line.substring(0, end)));
    }
  }
}
