package io.millrace.cli.ingest.lines;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A format as its file describes it; {@code cli/docs/formats.md} has the keys.
 *
 * @param patterns tried in this order; none: the format is read by rules, and is there for its
 *     samples
 * @param times layouts of the group {@code time}, in the letters of {@code DateTimeFormatter}
 * @param levels levels by the words of this format
 * @param zone zone of times that name none; null: the user's
 * @param joins whether a line that does not match belongs to the event before it
 * @param begin how a line begins that begins an event of several lines; null: each line is one
 * @param stays a line that begins an event stays with the one before when that one is this
 * @param samples events with the document that they become
 */
public record FormatDefinition(
    String name,
    String title,
    List<PatternSource> patterns,
    List<String> times,
    Map<String, String> levels,
    @Nullable ZoneId zone,
    boolean joins,
    @Nullable Pattern begin,
    @Nullable Pattern stays,
    List<Sample> samples) {

  /**
   * An example.
   *
   * @param lines one or more lines
   * @param documents what they become, JSON
   */
  public record Sample(String lines, List<String> documents) {}

  /**
   * Reads a definition.
   *
   * @param origin the file, for messages
   * @throws ExpectedFailure naming file, line, key and value when it is not right
   */
  public static FormatDefinition read(String text, String origin) {
    return new Reader(origin).read(text);
  }

  private static final class Reader {
    private final String origin;
    private int number;
    private String name = "";
    private String title = "";
    private final List<PatternSource> patterns = new ArrayList<>();
    private final List<String> times = new ArrayList<>();
    private final Map<String, String> levels = new HashMap<>();
    private @Nullable ZoneId zone;
    private boolean joins;
    private @Nullable Pattern begin;
    private @Nullable Pattern stays;
    private final List<Sample> samples = new ArrayList<>();
    private final StringBuilder sample = new StringBuilder();

    Reader(String origin) {
      this.origin = origin;
    }

    FormatDefinition read(String text) {
      for (String line : text.lines().toList()) {
        number++;
        if (line.startsWith("=> ")) {
          document(line);
        } else if (!line.isBlank() && !line.startsWith("#")) {
          int colon = line.indexOf(':');
          if (colon < 1) {
            throw wrong("line", line, "write KEY: VALUE");
          }
          String value = line.substring(colon + 1);
          take(
              line.substring(0, colon).strip(), value.startsWith(" ") ? value.substring(1) : value);
        }
      }
      if (name.isEmpty()) {
        throw wrong("name", "", "add a line \"name: my-format\"");
      }
      return new FormatDefinition(
          name, title, patterns, times, Map.copyOf(levels), zone, joins, begin, stays, samples);
    }

    private void document(String line) {
      if (!sample.isEmpty()) {
        samples.add(new Sample(sample.toString(), new ArrayList<>()));
        sample.setLength(0);
      } else if (samples.isEmpty()) {
        throw wrong("=>", line, "put a line \"sample: ...\" before it");
      }
      samples.get(samples.size() - 1).documents().add(line.substring(3));
    }

    private void take(String key, String value) {
      switch (key) {
        case "name" -> name = value.strip();
        case "title" -> title = value.strip();
        case "pattern" -> patterns.add(pattern(value));
        case "time" -> times.add(time(value));
        case "level" -> level(value);
        case "zone" -> zone = zone(value);
        case "joins" -> joins = joins(value);
        case "begin" -> begin = pattern(value).after();
        case "stays" -> stays = pattern(value).after();
        case "sample" -> sample.append(sample.isEmpty() ? "" : "\n").append(value);
        default ->
            throw wrong(
                key,
                value,
                "the keys are name, title, pattern, time, level, zone, joins, begin, stays, sample and =>");
      }
    }

    private PatternSource pattern(String value) {
      try {
        return PatternSource.of(value);
      } catch (PatternSyntaxException e) {
        throw wrong("pattern", value, e.getDescription() + " at character " + e.getIndex());
      }
    }

    private String time(String value) {
      try {
        new TimeFormats(List.of(value), ZoneId.of("UTC"));
        return value;
      } catch (IllegalArgumentException e) {
        throw wrong("time", value, "give letters as in yyyy-MM-dd HH:mm:ss.SSS XXX");
      }
    }

    private void level(String value) {
      for (String pair : value.strip().split("\\s+")) {
        int equals = pair.lastIndexOf('=');
        String level = equals < 1 ? null : Level.of(pair.substring(equals + 1));
        if (level == null) {
          throw wrong("level", pair, "write WORD=LEVEL, e.g. LOG=INFO");
        }
        levels.put(pair.substring(0, equals), level);
      }
    }

    private ZoneId zone(String value) {
      try {
        return ZoneId.of(value.strip());
      } catch (DateTimeException e) {
        throw wrong("zone", value, "give a zone, e.g. UTC, +02:00 or Europe/Berlin");
      }
    }

    private boolean joins(String value) {
      if (!value.strip().equals("others")) {
        throw wrong("joins", value, "the only value is others: lines that do not match");
      }
      return true;
    }

    private ExpectedFailure wrong(String key, String value, String remedy) {
      return new ExpectedFailure(
          ExitCode.USAGE,
          origin + ", line " + number + ": " + key + ": \"" + value + "\" is not right",
          remedy);
    }
  }
}
