package io.millrace.cli.ingest.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.corpus.JsonBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Golden file {@code lines.golden}: a line of each known format, then {@code =>} and the document.
 * {@code -Dgolden.rewrite=cli/src/test/resources/io/millrace/cli/ingest/lines/lines.golden} writes
 * it anew.
 */
class LineRulesTest {
  private static final long NOW = Instant.parse("2024-05-06T12:00:00Z").toEpochMilli();

  private static String document(String line, ZoneId zone) {
    LineParser parser = new LineParser(zone);
    parser.reference(NOW);
    ParsedLine parsed = new ParsedLine();
    parser.parse(line, parsed);
    String layout = parsed.layout();
    JsonBuffer out = new JsonBuffer();
    parsed.writeFields(out, NOW);
    if (layout != null) {
      out.raw(",\"layout\":").quoted(layout);
    }
    return out.raw(",\"message\":").quoted(parsed.message()).raw('}').toString();
  }

  @Test
  void everyKnownFormatIsTakenApartAsTheGoldenFileSays() throws IOException {
    List<String> golden;
    try (InputStream in = LineRulesTest.class.getResourceAsStream("lines.golden")) {
      golden = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    StringBuilder now = new StringBuilder();
    for (String line : golden) {
      if (!line.startsWith("=> ")) {
        now.append(line).append('\n');
        if (!line.startsWith("#") && !line.isEmpty()) {
          now.append("=> ").append(document(line, ZoneOffset.UTC)).append('\n');
        }
      }
    }
    String rewrite = System.getProperty("golden.rewrite");
    if (rewrite != null) {
      Files.writeString(Path.of(rewrite), now.toString());
    }
    assertEquals(String.join("\n", golden) + "\n", now.toString());
  }

  @Test
  void theZoneAppliesToTimesThatNameNone() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    assertTrue(document("2024-01-10 12:00:00 x", berlin).contains("2024-01-10T11:00:00.000Z"));
    assertTrue(document("2024-07-10 12:00:00 x", berlin).contains("2024-07-10T10:00:00.000Z"));
    assertTrue(document("2024-07-10T12:00:00Z x", berlin).contains("2024-07-10T12:00:00.000Z"));
  }

  @Test
  void aDateWithoutYearIsTheLatestThatIsNotInTheFuture() {
    assertTrue(document("May  6 11:00:00 h p: x", ZoneOffset.UTC).contains("2024-05-06"));
    assertTrue(document("Dec 31 23:59:59 h p: x", ZoneOffset.UTC).contains("2023-12-31"));
    assertTrue(document("Feb 29 10:00:00 h p: x", ZoneOffset.UTC).contains("2024-02-29"));
  }

  @Test
  void noLineBreaksTheParser() {
    List<String> lines =
        List.of(
            "[",
            "<",
            "<14",
            "<14>",
            "<14>1 ",
            "I0612",
            "1",
            "12/",
            "2024-",
            "2024-13-45 99:99:99",
            "Jun",
            "Jun 14",
            "Jun 14 15:16:01",
            "Jun 14 15:16:01 host",
            "- 1117838570",
            "a [",
            "time=",
            "level=",
            "1117838570",
            "1700000000000",
            "Mon ",
            "05/06/07 ",
            "- ",
            "x 2024-01-01 00:00:00",
            "ERROR",
            "[ERROR]",
            "2024-01-01T00:00:00+",
            "2024-01-01T00:00:00+99",
            ": : :",
            "a: b");
    for (String line : lines) {
      for (int end = 1; end <= line.length(); end++) {
        assertTrue(document(line.substring(0, end), ZoneOffset.UTC).endsWith("}"));
      }
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "millrace.corpus", matches = ".+")
  void everyLineOfARealCorpusHasATime() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("millrace.corpus")))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
        LineParser parser = new LineParser(ZoneOffset.UTC);
        parser.reference(NOW);
        ParsedLine parsed = new ParsedLine();
        for (String line :
            new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList()) {
          parser.parse(line, parsed);
          assertTrue(line.isBlank() || parsed.timed(), file + ": " + line);
        }
      }
    }
  }
}
