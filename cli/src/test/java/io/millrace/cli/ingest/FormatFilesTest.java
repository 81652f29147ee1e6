package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.ingest.LogGrammar.Event;
import io.millrace.cli.ingest.LogGrammar.SampleFile;
import io.millrace.cli.ingest.lines.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of a hundred events and more in the manner of many programs, each with its own zone, hosts,
 * texts, stack traces and days. What is right is noted down while they are written. The share that
 * is right is that of the goals; {@code -Dformat.files=N} reads N files of each program.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FormatFilesTest {
  private static final int EVENTS = 120;
  private static final int FILES = Integer.getInteger("format.files", 1);
  private static final int SHOWN = 3;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  @TempDir Path folder;

  /** Right ones of those that the lines say. */
  private static final class Share {
    private int all;
    private int right;

    boolean count(@Nullable Object wanted, @Nullable Object got) {
      if (wanted == null) {
        return true;
      }
      all++;
      right += wanted.equals(got) ? 1 : 0;
      return wanted.equals(got);
    }

    void add(Share other) {
      all += other.all;
      right += other.right;
    }

    boolean atLeast(double part) {
      return right >= part * all;
    }

    @Override
    public String toString() {
      return all == 0 ? "-" : right + " of " + all;
    }
  }

  /** What came of one file or of all. */
  private static final class Result {
    private final Share times = new Share();
    private final Share levels = new Share();
    private final Share hosts = new Share();

    /** Lines of events of several lines, which are to have the time of their event. */
    private final Share joined = new Share();

    private final List<String> wrong = new ArrayList<>();
    private int lines;
    private int lost;
    private long arrival;

    boolean good() {
      return lost == 0
          && arrival == 0
          && times.atLeast(0.99)
          && levels.atLeast(0.95)
          && hosts.atLeast(0.95)
          && joined.atLeast(0.95);
    }

    void add(Result other) {
      times.add(other.times);
      levels.add(other.levels);
      hosts.add(other.hosts);
      joined.add(other.joined);
      lines += other.lines;
      lost += other.lost;
      arrival += other.arrival;
    }

    String row(String name) {
      return String.format(
          Locale.ROOT,
          "| %s | %d | %d | %s | %s | %s | %s | %d |",
          name,
          lines,
          lost,
          times,
          levels,
          hosts,
          joined,
          arrival);
    }

    void wrong(String text) {
      if (wrong.size() < SHOWN) {
        wrong.add(text);
      }
    }
  }

  @Test
  void filesOfManyProgramsAreReadAsTheyWereWritten() throws IOException {
    Result total = new Result();
    List<String> bad = new ArrayList<>();
    List<LogGrammar> grammars = LogGrammar.all();
    try (FakeNode node = new FakeNode()) {
      for (int g = 0; g < grammars.size(); g++) {
        for (int i = 0; i < FILES; i++) {
          SampleFile file = grammars.get(g).file(g + i, EVENTS);
          Result result = read(node, file);
          System.out.println(result.row(file.name()));
          result.wrong.forEach(w -> System.out.println("    " + w));
          if (!result.good()) {
            bad.add(result.row(file.name()) + "\n    " + String.join("\n    ", result.wrong));
          }
          total.add(result);
        }
      }
    }
    System.out.println(total.row(grammars.size() * FILES + " files"));
    assertTrue(grammars.size() >= 40, "programs: " + grammars.size());
    assertEquals("", String.join("\n", bad));
  }

  private Result read(FakeNode node, SampleFile file) throws IOException {
    Result result = new Result();
    List<String> lines = file.lines();
    List<String> all = new ArrayList<>(file.header());
    all.addAll(lines);
    ReadLines read =
        ReadLines.of(
            node, folder.resolve("s.log"), String.join("\n", all), file.zone(), file.written());
    // the document of each line, and the line that it begins with
    JsonNode[] owner = new JsonNode[lines.size()];
    int[] begin = new int[lines.size()];
    Map<String, List<Integer>> places = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      places.computeIfAbsent(same(lines.get(i)), line -> new ArrayList<>()).add(i);
    }
    for (JsonNode document : read.documents()) {
      List<String> made = madeOf(document);
      int first = place(made, lines, owner, places.getOrDefault(made.get(0), List.of()));
      if (first < 0) {
        result.wrong("not put back: " + cut(document.toString()));
        continue;
      }
      Arrays.fill(owner, first, first + made.size(), document);
      Arrays.fill(begin, first, first + made.size(), first);
    }
    result.lines = lines.size();
    result.lost = (int) Arrays.stream(owner).filter(Objects::isNull).count();
    result.arrival = read.counters().arrivalTime.sum();
    int line = 0;
    for (Event event : file.events()) {
      for (int i = 0; i < event.lines().size(); i++, line++) {
        JsonNode document = owner[line];
        if (document == null) {
          result.wrong("lost: " + cut(lines.get(line)));
          continue;
        }
        boolean right;
        if (i == 0) {
          boolean own = begin[line] == line;
          right = result.times.count(event.time(), own ? time(document) : null);
          right &= result.levels.count(event.level(), own ? text(document, "level") : null);
          right &= result.hosts.count(event.host(), own ? text(document, "host") : null);
        } else {
          right = result.joined.count(event.time(), time(document));
        }
        if (!right) {
          result.wrong(
              "%s %s %s%n      of %s%n      as %s"
                  .formatted(
                      event.time(),
                      event.level(),
                      event.host(),
                      cut(event.lines().get(i)),
                      cut(document.toString())));
        }
      }
    }
    return result;
  }

  /** Where these lines are, among the places where the first one is; or -1. */
  private static int place(
      List<String> made, List<String> lines, JsonNode[] owner, List<Integer> places) {
    for (int first : places) {
      int end = first + made.size();
      if (owner[first] == null
          && end <= lines.size()
          && (made.size() == 1 || made.equals(lines.subList(first, end)))) {
        return first;
      }
    }
    return -1;
  }

  /** The lines that a document was made of; a JSON object without its blanks. */
  private static List<String> madeOf(JsonNode document) throws IOException {
    JsonNode layout = document.get("layout");
    if (layout != null && layout.asText().startsWith("json:")) {
      return List.of(
          same(Layout.json(layout.asText(), (ObjectNode) document.deepCopy()).toString()));
    }
    return List.of(ReadLines.original(document).split("\n", -1));
  }

  private static String same(String line) throws IOException {
    return line.startsWith("{") ? JSON.readTree(line).toString() : line;
  }

  private static @Nullable Instant time(JsonNode document) {
    return document.has("@timestamp") ? Instant.parse(document.get("@timestamp").asText()) : null;
  }

  private static @Nullable String text(JsonNode document, String field) {
    return document.has(field) ? document.get(field).asText() : null;
  }

  private static String cut(String text) {
    return text.length() < 300 ? text : text.substring(0, 250) + "...";
  }
}
