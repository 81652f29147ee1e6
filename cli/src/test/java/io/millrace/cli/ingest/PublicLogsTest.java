package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads logs of public systems that say themselves what is right: those that fail2ban's own tests
 * use. A comment before a line ({@code # failJSON: {"time": ...}}) has its time. Which word of a
 * line is its level, and which its host, is said in {@code public-logs.oracle}, by an expression
 * for each file. The lines are not part of this project; {@code -Dmillrace.public.logs=FOLDER}
 * names the folder {@code fail2ban/tests/files/logs} of an installed fail2ban.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class PublicLogsTest {
  /** Where and when the tests of fail2ban take place. */
  private static final ZoneId ZONE = ZoneId.of("Europe/Zurich");

  private static final Instant WRITTEN = Instant.parse("2005-08-14T10:00:00Z");
  private static final Pattern NOTE =
      Pattern.compile("^#+ ?(failJSON|filterOptions|fileOptions):(.+)$");
  private static final DateTimeFormatter NOTED =
      DateTimeFormatter.ofPattern("y-M-d'T'H:m:s[.SSSSSS][.SSS]", Locale.ROOT);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  /** A line, and what is right: null is "nobody says". */
  private record Line(
      String text, @Nullable Instant time, @Nullable String level, @Nullable String host) {}

  /** How many are right, of how many. */
  private static final class Share {
    private int right;
    private int all;

    void add(Share other) {
      right += other.right;
      all += other.all;
    }

    void count(boolean isRight) {
      all++;
      right += isRight ? 1 : 0;
    }

    @Override
    public String toString() {
      return all == 0
          ? "-"
          : String.format(Locale.ROOT, "%d of %d (%.1f %%)", right, all, 100.0 * right / all);
    }
  }

  private static final class Result {
    private int lines;
    private int kept;
    private long arrival;
    private final Share time = new Share();
    private final Share level = new Share();
    private final Share host = new Share();

    void add(Result other) {
      lines += other.lines;
      kept += other.kept;
      arrival += other.arrival;
      time.add(other.time);
      level.add(other.level);
      host.add(other.host);
    }

    String row(String name) {
      return String.format(
          Locale.ROOT,
          "| %s | %d | %d | %s | %s | %s | %d |",
          name,
          lines,
          lines - kept,
          time,
          level,
          host,
          arrival);
    }
  }

  /** The expressions of {@code public-logs.oracle}: by kind, those of a file or of all. */
  private record Oracle(Map<String, List<Pattern>> patterns, Map<String, String> layouts) {
    static Oracle read() throws IOException {
      Map<String, List<Pattern>> patterns = new TreeMap<>();
      Map<String, String> layouts = new TreeMap<>();
      try (InputStream in = PublicLogsTest.class.getResourceAsStream("public-logs.oracle")) {
        for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
          if (!line.isBlank() && !line.startsWith("#")) {
            boolean time = line.split(" ", 3)[1].equals("time");
            String[] parts = line.split(" ", time ? 4 : 3);
            if (time) {
              layouts.put(parts[0], parts[2]);
            }
            patterns
                .computeIfAbsent(parts[1] + ' ' + parts[0], k -> new ArrayList<>())
                .add(Pattern.compile(parts[parts.length - 1]));
          }
        }
      }
      return new Oracle(patterns, layouts);
    }

    /** The time of a line by the layout that is said for its file; null when none is. */
    @Nullable Instant time(String file, String line) {
      String word = layouts.containsKey(file) ? of("time", file, line) : null;
      if (word == null) {
        return null;
      }
      String layout = layouts.get(file);
      String text = word.replaceAll(" +", "_");
      int year = WRITTEN.atZone(ZONE).getYear();
      Instant time = time(layout, text, year);
      boolean later = time.isAfter(WRITTEN) && !layout.contains("u");
      return later ? time(layout, text, year - 1) : time;
    }

    private static Instant time(String layout, String text, int year) {
      DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().appendPattern(layout);
      if (!layout.contains("u")) {
        builder.parseDefaulting(ChronoField.YEAR, year);
      }
      TemporalAccessor time = builder.toFormatter(Locale.ENGLISH).parse(text);
      return time.isSupported(ChronoField.INSTANT_SECONDS)
          ? Instant.from(time)
          : LocalDateTime.from(time).atZone(ZONE).toInstant();
    }

    @Nullable String of(String kind, String file, String line) {
      String found = null;
      for (String name : new String[] {file, "*"}) {
        for (Pattern pattern : patterns.getOrDefault(kind + ' ' + name, List.of())) {
          Matcher matcher = pattern.matcher(line);
          if (found == null && matcher.find()) {
            found = matcher.groupCount() == 0 ? "" : matcher.group(1);
          }
        }
      }
      return found;
    }
  }

  private static List<Line> lines(String file, String text, Oracle oracle) throws IOException {
    List<Line> lines = new ArrayList<>();
    @Nullable Instant time = null;
    boolean journal = false;
    for (String line : text.lines().toList()) {
      Matcher note = NOTE.matcher(line);
      if (note.matches() && note.group(1).equals("failJSON")) {
        JsonNode facts = JSON.readTree(note.group(2));
        time =
            facts.path("match").asBoolean() && facts.path("time").isTextual()
                ? LocalDateTime.parse(facts.get("time").asText(), NOTED).atZone(ZONE).toInstant()
                : null;
      } else if (note.matches()) {
        journal = note.group(2).contains("\"logtype\": \"journal\"");
      } else if (!line.startsWith("#") && !line.isBlank()) {
        if (!journal) { // those come with their time beside them
          Instant said = oracle.of("unsaid-time", file, line) == null ? time : null;
          lines.add(
              new Line(
                  line,
                  said == null ? oracle.time(file, line) : said,
                  oracle.of("level", file, line),
                  oracle.of("host", file, line)));
        }
        time = null;
      }
    }
    return lines;
  }

  /** The level that a word, a letter or a number of syslog means. */
  private static String level(String word) {
    String start = word.substring(0, Math.min(3, word.length())).toUpperCase(Locale.ROOT);
    return switch (start) {
      case "DEB", "DBG", "D", "7" -> "DEBUG";
      case "INF", "I", "SYS", "6" -> "INFO";
      case "NOT", "5" -> "NOTICE";
      case "WAR", "WRN", "W", "4" -> "WARN";
      case "ERR", "ERO", "SEV", "E", "3" -> "ERROR";
      case "VER", "TRA" -> "TRACE";
      case "CRI", "ALE", "EME", "FAT", "PAN", "F", "0", "1", "2" -> "FATAL";
      default -> "unknown to this test: " + word;
    };
  }

  private Result measure(FakeNode node, String name, List<Line> lines) throws IOException {
    Result result = new Result();
    StringBuilder text = new StringBuilder();
    lines.forEach(l -> text.append(l.text).append('\n'));
    ReadLines read = ReadLines.of(node, folder.resolve("s.log"), text.toString(), ZONE, WRITTEN);
    result.lines = lines.size();
    result.arrival = read.counters().arrivalTime.sum() + read.counters().timelessJson.sum();
    int at = 0;
    for (JsonNode document : read.documents()) {
      List<String> originals = plainLines(document);
      for (int i = 0; i < Math.max(1, originals.size()) && at < lines.size(); i++) {
        Line line = lines.get(at++);
        boolean same = originals.isEmpty() || originals.get(i).equals(line.text);
        result.kept += same ? 1 : 0;
        say(same, name, "line", line, "the same", originals);
        judge(name, line, document, i == 0, result);
      }
    }
    return result;
  }

  /** The plain lines that a document was made of; none when it was made of JSON. */
  private static List<String> plainLines(JsonNode document) {
    JsonNode layout = document.get("layout");
    boolean json = layout == null ? !document.has("file") : layout.asText().startsWith("json:");
    return json
        ? List.of()
        : ReadLines.original(document).lines().filter(l -> !l.isBlank()).toList();
  }

  private static void judge(
      String file, Line line, JsonNode document, boolean first, Result result) {
    if (line.time != null) {
      String is = document.path("@timestamp").asText(null);
      boolean right =
          is != null
              && Instant.parse(is)
                  .truncatedTo(ChronoUnit.SECONDS)
                  .equals(line.time.truncatedTo(ChronoUnit.SECONDS));
      result.time.count(right);
      say(right, file, "time", line, line.time, is);
    }
    if (line.level != null) {
      String is = document.path("level").asText(null);
      boolean right = level(line.level).equals(is);
      result.level.count(right);
      say(right, file, "level", line, line.level, is);
    }
    if (first && line.host != null) {
      String is = document.path("host").asText("");
      boolean right = line.host.equals(is);
      result.host.count(right);
      say(right, file, "host", line, line.host, is);
    }
  }

  private static void say(
      boolean right, String file, String what, Line line, Object should, @Nullable Object is) {
    if (!right) {
      String text = line.text.length() > 170 ? line.text.substring(0, 170) : line.text;
      System.out.println(file + ": " + what + " is " + is + ", not " + should + ": " + text);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "millrace.public.logs", matches = ".+")
  void linesOfPublicSystemsAreReadAsTheirOwnTestsSay() throws IOException {
    Oracle oracle = Oracle.read();
    Result all = new Result();
    List<String> rows = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> listed = Files.walk(Path.of(System.getProperty("millrace.public.logs")))) {
      files = listed.filter(Files::isRegularFile).sorted().toList();
    }
    try (FakeNode node = new FakeNode()) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        List<Line> lines = lines(name, text, oracle);
        if (!lines.isEmpty()) {
          Result result = measure(node, name, lines);
          rows.add(result.row(name));
          all.add(result);
        }
      }
    }
    System.out.println("| file | lines | lost | time | level | host | time of arrival |");
    rows.forEach(System.out::println);
    System.out.println(all.row("all"));
    assertEquals(all.lines, all.kept, "lines lost");
  }
}
