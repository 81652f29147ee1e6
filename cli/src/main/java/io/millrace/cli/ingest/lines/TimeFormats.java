package io.millrace.cli.ingest.lines;

import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Layouts of times that a user or a format names, in the letters of {@link DateTimeFormatter}, for
 * what {@link TimeScanner} does not know. Without any, the scanner reads.
 */
public final class TimeFormats {
  private final List<DateTimeFormatter> layouts = new ArrayList<>();
  private final List<String> patterns;
  private final Set<DateTimeFormatter> used = ConcurrentHashMap.newKeySet();
  private final ZoneId zone;

  /**
   * @throws IllegalArgumentException when a layout has letters that do not exist
   */
  public TimeFormats(List<String> patterns, ZoneId zone) {
    this.zone = zone;
    this.patterns = List.copyOf(patterns);
    for (String pattern : patterns) {
      layouts.add(
          new DateTimeFormatterBuilder()
              .parseCaseInsensitive()
              .appendPattern(pattern)
              .toFormatter(Locale.ENGLISH));
    }
  }

  boolean isEmpty() {
    return layouts.isEmpty();
  }

  /** The layouts that no time so far was written in. */
  public List<String> unused() {
    List<String> unused = new ArrayList<>();
    for (int i = 0; i < patterns.size(); i++) {
      if (!used.contains(layouts.get(i))) {
        unused.add(patterns.get(i));
      }
    }
    return unused;
  }

  /** Reads a text that is a time and nothing else. */
  boolean read(ParsedLine out, String text, TimeScanner time) {
    for (DateTimeFormatter layout : layouts) {
      ParsePosition position = new ParsePosition(0);
      Instant instant = parse(layout, text, position, time);
      if (instant != null && position.getIndex() == text.length()) {
        used.add(layout);
        out.time(instant.getEpochSecond(), instant.getNano());
        return true;
      }
    }
    String stripped = text.strip();
    if (layouts.isEmpty() && (time.scan(stripped, 0) || time.scanDate(stripped, 0))) {
      out.time(time);
      return true;
    }
    return false;
  }

  /** Looks for a time of one of the layouts at the beginning of a word; the message stays whole. */
  boolean find(ParsedLine out, TimeScanner time) {
    String line = out.line();
    int limit = Math.min(line.length(), 256);
    for (int i = 0; i < limit; i++) {
      boolean begins = Character.isLetterOrDigit(line.charAt(i));
      if (!begins || i > 0 && Character.isLetterOrDigit(line.charAt(i - 1))) {
        continue;
      }
      for (DateTimeFormatter layout : layouts) {
        Instant instant = parse(layout, line, new ParsePosition(i), time);
        if (instant != null) {
          used.add(layout);
          out.time(instant.getEpochSecond(), instant.getNano());
          return true;
        }
      }
    }
    return false;
  }

  private @Nullable Instant parse(
      DateTimeFormatter layout, String text, ParsePosition position, TimeScanner time) {
    try {
      TemporalAccessor read = layout.parse(text, position);
      if (read.isSupported(ChronoField.INSTANT_SECONDS)) {
        return Instant.from(read);
      }
      LocalDate date = read.query(TemporalQueries.localDate());
      LocalTime clock = read.query(TemporalQueries.localTime());
      LocalDate last = LocalDate.ofInstant(Instant.ofEpochMilli(time.reference()), zone);
      if (date == null && read.isSupported(ChronoField.MONTH_OF_YEAR)) {
        int day =
            read.isSupported(ChronoField.DAY_OF_MONTH) ? read.get(ChronoField.DAY_OF_MONTH) : 1;
        date = LocalDate.of(last.getYear(), read.get(ChronoField.MONTH_OF_YEAR), day);
        date = date.isAfter(last.plusDays(1)) ? date.minusYears(1) : date;
      }
      if (date == null && clock == null) {
        return null;
      }
      LocalDateTime wall =
          (date == null ? last : date).atTime(clock == null ? LocalTime.MIDNIGHT : clock);
      ZoneId named = read.query(TemporalQueries.zone());
      return wall.atZone(named == null ? zone : named).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
