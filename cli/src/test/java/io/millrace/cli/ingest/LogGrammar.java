package io.millrace.cli.ingest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a program writes its log, by a block of {@code log-grammars.txt}.
 *
 * @param clock whose time the lines say
 * @param trace the kind of stack trace that may follow an event, or ""
 * @param guests whether lines of other programs come between, as where several write to one stream
 * @param oneNight whether its files go over one midnight only: of a clock without a date nothing
 *     says how many there were
 * @param header the lines before the first event
 * @param events an event each, of one line or several, with {@code ${...}} for what changes
 */
record LogGrammar(
    String name,
    Clock clock,
    String trace,
    boolean guests,
    boolean oneNight,
    String header,
    List<String> events) {
  /** Whose time the lines say. */
  enum Clock {
    /** That of the zone that is given by {@code --zone}. */
    LOCAL(List.of("Europe/Berlin", "Asia/Tokyo", "America/New_York", "Asia/Kathmandu")),
    /** That of a zone that they name. */
    NAMED(List.of("Europe/Berlin", "UTC", "America/New_York", "Asia/Tokyo")),
    /** That of an offset that they name. */
    OFFSET(List.of("Europe/Berlin", "UTC", "America/St_Johns", "Asia/Kolkata")),
    /** UTC, whether they say so or not. */
    UTC(List.of("UTC"));

    private final List<String> zones;

    Clock(List<String> zones) {
      this.zones = zones;
    }
  }

  /** When the files begin, so that they go over a midnight, the end of a month, of a year. */
  private static final List<Instant> STARTS =
      List.of(
          Instant.parse("2023-12-08T21:55:00Z"),
          Instant.parse("2024-06-30T13:40:00Z"),
          Instant.parse("2023-12-31T13:30:00Z"));

  /** The longest time between two events of such a file, in milliseconds. */
  private static final int[] STEPS = {40_000_000, 900_000, 900_000};

  private static final Pattern BLOCKS = Pattern.compile("\n\n+");

  /** Lines of other programs on the same stream; the last one has no time. */
  private static final List<String> GUESTS =
      List.of(
          "{\"ts\":\"${utc yyyy-MM-dd'T'HH:mm:ss.SSS'Z'}\","
              + "\"level\":\"${level info=INFO warn=WARN error=ERROR}\",\"msg\":\"sidecar ${pid}\"}",
          "${utc yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'} ${level INFO WARN ERROR DEBUG} sidecar: ${text}",
          "Starting worker ${pid} ...");

  /** An event and what is right; null is "the lines do not say". */
  record Event(
      List<String> lines, @Nullable Instant time, @Nullable String level, @Nullable String host) {}

  /**
   * A file that a program has written.
   *
   * @param zone what {@code --zone} says
   * @param written when the last line was
   */
  record SampleFile(
      String name, List<String> header, List<Event> events, ZoneId zone, Instant written) {
    /** All lines but those of the header. */
    List<String> lines() {
      return events.stream().flatMap(e -> e.lines().stream()).toList();
    }
  }

  /** All that the resource has. */
  static List<LogGrammar> all() throws IOException {
    try (InputStream in = LogGrammar.class.getResourceAsStream("log-grammars.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return BLOCKS
          .splitAsStream(text.strip())
          .filter(block -> block.startsWith("name: "))
          .map(LogGrammar::of)
          .toList();
    }
  }

  private static LogGrammar of(String block) {
    Map<String, StringBuilder> keys = new HashMap<>();
    List<String> events = new ArrayList<>();
    for (String line : block.split("\n")) {
      String[] pair = line.split(": ", 2);
      switch (pair[0]) {
        case "event" -> events.add(pair[1].replace("\\n", "\n"));
        case "name", "clock", "trace", "guests", "day", "header" ->
            keys.computeIfAbsent(pair[0], k -> new StringBuilder()).append(pair[1]).append('\n');
        default -> throw new IllegalArgumentException("unknown key: " + line);
      }
    }
    StringBuilder none = new StringBuilder();
    return new LogGrammar(
        keys.get("name").toString().strip(),
        Clock.valueOf(keys.get("clock").toString().strip()),
        keys.getOrDefault("trace", none).toString().strip(),
        keys.containsKey("guests"),
        keys.containsKey("day"),
        keys.getOrDefault("header", none).toString(),
        events);
  }

  /** A file of this program: each number has another zone, time of the year, hosts and texts. */
  SampleFile file(int number, int events) {
    int kind = number % STARTS.size();
    int step = STEPS[oneNight ? 1 : kind];
    LogScribe scribe = new LogScribe(31L * name.hashCode() + number, STARTS.get(kind), step);
    ZoneId zone = ZoneId.of(scribe.pick(clock.zones));
    scribe.zone(zone);
    List<Event> all = new ArrayList<>();
    while (all.size() < events) {
      scribe.next();
      boolean guest = guests && all.size() > 3 && scribe.oneOf(12);
      String text = scribe.write(scribe.pick(guest ? GUESTS : this.events));
      if (!guest && !trace.isEmpty() && scribe.oneOf(10)) {
        text += scribe.trace(trace);
      }
      all.add(
          new Event(List.of(text.split("\n", -1)), scribe.time(), scribe.level(), scribe.host()));
    }
    ZoneId other = ZoneId.of(scribe.pick(List.of("UTC", "Asia/Tokyo")));
    return new SampleFile(
        name + "-" + number,
        header.lines().toList(),
        all,
        clock == Clock.LOCAL ? zone : clock == Clock.UTC ? ZoneOffset.UTC : other,
        scribe.now().plusSeconds(1));
  }
}
