package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a whole file is read: what its first lines decide, and what each line decides by itself. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class LineReadingTest extends IngestCalls {
  private record Read(Run run, List<JsonNode> documents) {
    JsonNode only() {
      assertEquals(1, documents.size(), documents.toString());
      return documents.get(0);
    }

    String text(int document, String field) {
      return documents.get(document).path(field).asText();
    }
  }

  private Read read(String name, String text, String... arguments) throws IOException {
    return read(name, text.getBytes(StandardCharsets.UTF_8), arguments);
  }

  private Read read(String name, byte[] bytes, String... arguments) throws IOException {
    Path file = Files.write(folder.resolve(name), bytes);
    try (FakeNode node = new FakeNode()) {
      List<String> all = new ArrayList<>(List.of(file.toString(), "--workers", "1"));
      all.addAll(List.of(arguments));
      Run run = ingest(node.url(), all.toArray(String[]::new));
      List<JsonNode> documents = new ArrayList<>();
      for (String document : node.documents()) {
        documents.add(JSON.readTree(document));
      }
      return new Read(run, documents);
    }
  }

  @Test
  void aBannerDoesNotMakeTextOfJson() throws IOException {
    Read read =
        read(
            "app.log",
            "Starting shop 1.2\n{\"time\":\"2024-05-06T10:11:12Z\",\"msg\":\"a\"}\n"
                + "{\"time\":\"2024-05-06T10:11:13Z\",\"msg\":\"b\"}\n");
    assertEquals(3, read.documents().size());
    long json = read.documents().stream().filter(d -> d.has("time")).count();
    assertEquals(2, json);
    assertTrue(
        read.documents().stream().filter(d -> d.has("time")).allMatch(d -> d.has("message")));
  }

  @Test
  void whatHasNoTimeIsSaidOnTheSummaryLineWithTheFlagThatHelps() throws IOException {
    Read read = read("odd.log", "at half past nine: started\nat ten: done\n");
    assertEquals(2, read.run().summary().get("time_of_arrival").asInt());
    assertEquals(
        "at half past nine: started", read.run().summary().get("time_of_arrival_example").asText());
    Counters counters = new Counters();
    counters.timeless("at half past nine");
    String line = Summary.text(counters, "x", 1);
    assertTrue(line.contains("1 with the TIME OF ARRIVAL"), line);
    assertTrue(line.contains("\"at half past nine\""), line);
    assertTrue(line.contains("--time-format"), line);
    assertEquals(1, line.lines().count(), line);
  }

  @Test
  void theUserSaysHowATimeIsWrittenAndWhereItStands() throws IOException {
    Read odd =
        read(
            "odd.log", "started 6|5|2024 at 10h11\n", "--time-format", "d'|'M'|'yyyy 'at' HH'h'mm");
    assertEquals("2024-05-06T10:11:00.000Z", odd.only().get("@timestamp").asText());
    assertEquals(0, odd.run().summary().get("time_of_arrival").asInt());
    Read json =
        read(
            "a.ndjson",
            "{\"happened\":\"2024-05-06 10:11:12\",\"n\":1}\n",
            "--time-field",
            "happened");
    assertEquals("2024-05-06T10:11:12.000Z", json.only().get("@timestamp").asText());
    Read bad = read("odd.log", "x\n", "--time-format", "yyyy-{");
    assertEquals(2, bad.run().code());
    assertTrue(bad.run().err().contains("--time-format"), bad.run().err());
  }

  @Test
  void aLayoutThatFitsNothingIsSaid() throws IOException {
    String line = "2024-05-06 10:11:12,345 INFO  [main] com.example.Shop: sold\n";
    Read read = read("app.log", line, "--time-format", "dd/MM/uuuu HH:mm");
    assertEquals(0, read.run().code(), read.run().err());
    assertTrue(
        read.run().err().contains("--time-format \"dd/MM/uuuu HH:mm\" fits no line"),
        read.run().err());
    assertEquals("2024-05-06T10:11:12.345Z", read.only().get("@timestamp").asText());
    Read both = read("app.log", line, "--time-format", "uuuu-MM-dd", "--time-format", "HHmm");
    assertTrue(both.run().err().contains("\"HHmm\" fits no line"), both.run().err());
    assertFalse(both.run().err().contains("\"uuuu-MM-dd\""), both.run().err());
  }

  @Test
  void theUsersLayoutStandsOverTheFormats() throws IOException {
    String line = "05.06.2024 10:11:12 INFO  [main] com.example.Shop - sold";
    Read custom = read("app.log", line + "\n");
    assertEquals("2024-06-05T10:11:12.000Z", custom.only().get("@timestamp").asText());
    Read said = read("app.log", line + "\n", "--time-format", "MM.dd.uuuu HH:mm:ss");
    assertEquals("2024-05-06T10:11:12.000Z", said.only().get("@timestamp").asText());
    assertEquals(line, ReadLines.original(said.only()));
    assertFalse(said.run().err().contains("fits no line"), said.run().err());
  }

  @Test
  void aLineWithoutATimeTakesItsNeighbours() throws IOException {
    Read read =
        read(
            "app.log",
            "banner\n2024-05-06 10:00:00 INFO a\nfree text\n2024-05-06 10:00:05 INFO b\n");
    assertEquals("2024-05-06T10:00:00.000Z", read.text(0, "@timestamp"));
    assertEquals("2024-05-06T10:00:00.000Z", read.text(2, "@timestamp"));
    assertEquals(2, read.run().summary().get("time_of_line_before").asInt());
    assertEquals(0, read.run().summary().get("time_of_arrival").asInt());
  }

  @Test
  void theFileDecidesWhichNumberIsTheDay() throws IOException {
    Read german = read("a.log", "05/06/2024 10:00:00 a\n13/06/2024 10:00:00 b\n");
    assertEquals("2024-06-05T10:00:00.000Z", german.text(0, "@timestamp"));
    Read american = read("b.log", "05/06/2024 10:00:00 a\n05/13/2024 10:00:00 b\n");
    assertEquals("2024-05-06T10:00:00.000Z", american.text(0, "@timestamp"));
    Read dots = read("c.log", "05.06.2024 10:00:00 a\n");
    assertEquals("2024-06-05T10:00:00.000Z", dots.text(0, "@timestamp"));
  }

  @Test
  void secondsSince1970AreFoundInAnyWord() throws IOException {
    Read read =
        read(
            "hpc.log",
            "134681 node-246 unix.hw state_change 1077804742 1 up\n"
                + "134682 node-246 unix.hw state_change 1077804743 1 down\n");
    assertEquals("2004-02-26T14:12:22.000Z", read.text(0, "@timestamp"));
    assertEquals("2004-02-26T14:12:23.000Z", read.text(1, "@timestamp"));
  }

  @Test
  void coloursAreTakenOutAndTheLineIsKept() throws IOException {
    String line = "\u001b[31mERROR\u001b[0m [2024-05-06T10:11:12.345Z] red";
    JsonNode document = read("c.log", line + "\n").only();
    assertEquals("ERROR", document.get("level").asText());
    assertFalse(document.get("message").asText().contains("\u001b"));
    assertEquals(line, document.at("/event/original").asText());
  }

  @Test
  void utf16IsReadByItsMarkAndByItsZeros() throws IOException {
    String text = "2024-05-06 10:11:12 INFO gr\u00fc\u00df\n";
    for (boolean mark : new boolean[] {true, false}) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.writeBytes(mark ? new byte[] {(byte) 0xff, (byte) 0xfe} : new byte[0]);
      bytes.writeBytes(text.getBytes(StandardCharsets.UTF_16LE));
      JsonNode document = read("w.log", bytes.toByteArray()).only();
      assertEquals("gr\u00fc\u00df", document.get("message").asText());
      assertEquals("2024-05-06T10:11:12.000Z", document.get("@timestamp").asText());
    }
  }

  @Test
  void aFormatOfTheUsersOwnComesFirstAndItsMistakesAreNamed() throws IOException {
    Path own =
        Files.writeString(
            folder.resolve("shop.format"),
            "name: shop\npattern: {time} <(?<level>\\w+)> shop-(?<tag>\\d+): (?<message>.*)\nlevel: AUDIT=NOTICE\n");
    JsonNode document =
        read("s.log", "2024-05-06 10:11:12 <AUDIT> shop-7: sold\n", "--format", own.toString())
            .only();
    assertEquals("NOTICE", document.get("level").asText());
    assertEquals("7", document.get("tag").asText());
    assertEquals("sold", document.get("message").asText());
    Files.writeString(own, "name: shop\npattern: (?<level>\\w+\n");
    Read broken = read("s.log", "x\n", "--format", own.toString());
    assertEquals(2, broken.run().code());
    assertTrue(broken.run().err().contains("line 2: pattern"), broken.run().err());
    Read unknown = read("s.log", "x\n", "--format", "nonsense");
    assertEquals(2, unknown.run().code());
    assertTrue(unknown.run().err().contains("postgresql"), unknown.run().err());
  }

  @Test
  void aPatternThatNeverEndsGivesUp() throws IOException {
    Path own =
        Files.writeString(
            folder.resolve("evil.format"), "name: evil\npattern: (?<message>(a+)+)b\n");
    Read read =
        read(
            "e.log", "2024-05-06 10:11:12 x\n" + "a".repeat(40) + "\n", "--format", own.toString());
    assertEquals(2, read.documents().size());
  }

  @Test
  void explainShowsTheReasonAndSendsNothing() throws IOException {
    String file =
        file(
            "pg.log",
            "2024-05-06 10:11:12.345 UTC [1] LOG:  a\n2024-05-06 10:11:13.345 UTC [1] ERROR:  b\n");
    try (FakeNode node = new FakeNode()) {
      Run run = ingest(node.url(), file, "--explain");
      assertEquals(0, run.code(), run.err());
      assertTrue(run.out().contains("format: postgresql"), run.out());
      assertTrue(run.out().contains("postgresql 2"), run.out());
      assertTrue(run.out().contains("2 with a time, 2 with a level"), run.out());
      assertEquals(0, node.bulks.get());
    }
  }
}
