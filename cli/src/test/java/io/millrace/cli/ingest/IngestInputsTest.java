package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command and what it is given to read: cut, huge, compressed, of every format. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class IngestInputsTest extends IngestCalls {
  @Test
  void inputsAreCheckedBeforeAnythingIsSent() throws IOException {
    try (FakeNode node = new FakeNode()) {
      String good = ndjson(1);
      Run missing = ingest(node.url(), good, folder.resolve("absent.log").toString());
      assertEquals(5, missing.code());
      assertTrue(missing.err().contains("no such file"), missing.err());
      Run directory = ingest(node.url(), folder.toString());
      assertEquals(5, directory.code());
      assertTrue(directory.err().contains("is a directory"), directory.err());
      assertEquals(0, node.bulks.get());
    }
  }

  @Test
  void anEmptyFileIsNoError() throws IOException {
    try (FakeNode node = new FakeNode()) {
      Run run = ingest(node.url(), file("empty.log", ""));
      assertEquals(0, run.code(), run.err());
      assertEquals(0, run.summary().get("read").asInt());
    }
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  @Test
  void compressedFilesWithSeveralMembersAreReadWhole() throws IOException {
    ByteArrayOutputStream gz = new ByteArrayOutputStream();
    ByteArrayOutputStream zst = new ByteArrayOutputStream();
    for (int i = 0; i < 3; i++) {
      String text = "{\"n\":" + i + "}\n{\"n\":" + (i + 10) + "}\n";
      gz.write(gzip(text));
      zst.write(Zstd.compress(text.getBytes(StandardCharsets.UTF_8)));
    }
    Path one = Files.write(folder.resolve("a.bin"), gz.toByteArray());
    Path two = Files.write(folder.resolve("b.bin"), zst.toByteArray());
    try (FakeNode node = new FakeNode()) {
      Run run = ingest(node.url(), one.toString(), two.toString());
      assertEquals(0, run.code(), run.err());
      assertEquals(12, node.documents().size());
    }
  }

  @Test
  void aCutFileGivesWhatCameBeforeTheCut() throws IOException {
    String text = Files.readString(Path.of(ndjson(2_000)));
    byte[] gz = gzip(text);
    byte[] zst = Zstd.compress(text.getBytes(StandardCharsets.UTF_8));
    Path cutGz = Files.write(folder.resolve("c.gz"), java.util.Arrays.copyOf(gz, gz.length / 2));
    Path cutZst =
        Files.write(folder.resolve("c.zst"), java.util.Arrays.copyOf(zst, zst.length - 9));
    for (Path file : List.of(cutGz, cutZst)) {
      try (FakeNode node = new FakeNode()) {
        Run run = ingest(node.url(), file.toString());
        assertEquals(5, run.code(), run.err());
        assertTrue(run.err().contains(file.toString()), run.err());
        int indexed = run.summary().get("indexed").asInt();
        assertEquals(indexed, node.documents().size());
        assertTrue(run.err().contains("after " + indexed + " whole lines"), run.err());
        if (file == cutGz) {
          assertTrue(indexed > 500, "indexed: " + indexed);
          assertTrue(run.err().contains("at byte " + gz.length / 2), run.err());
        }
      }
    }
  }

  @Test
  void aHugeLineIsRefusedAndTheRestGoesIn() throws IOException {
    Path file = folder.resolve("huge.log");
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write("2024-05-06 10:00:00 INFO before\n".getBytes(StandardCharsets.US_ASCII));
      byte[] block = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < 50; i++) {
        out.write(block);
      }
      out.write("\n2024-05-06 10:00:01 INFO after\n".getBytes(StandardCharsets.US_ASCII));
    }
    try (FakeNode node = new FakeNode()) {
      Run run = ingest(node.url(), file.toString());
      assertEquals(1, run.code());
      assertEquals(2, node.documents().size());
      JsonNode letter = deadLetters().get(0);
      assertEquals("line_too_long", letter.get("type").asText());
      assertTrue(letter.get("reason").asText().contains("52428800 bytes"), letter.toString());
    }
  }

  @Test
  void bytesThatAreNotUtf8AreReadAsWindows1252AndCounted() throws IOException {
    Path file = folder.resolve("latin.log");
    ByteArrayOutputStream mixed = new ByteArrayOutputStream();
    mixed.write("2024-05-06 10:00:00 caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
    mixed.write("ok \u20ac \ufffd \ud83d\ude00\n".getBytes(StandardCharsets.UTF_8));
    mixed.write("\u00fc and cut: ".getBytes(StandardCharsets.UTF_8));
    mixed.write(new byte[] {(byte) 0xe2, (byte) 0x82, '\n', (byte) 0x80, (byte) 0x81, '\n'});
    Files.write(file, mixed.toByteArray());
    try (FakeNode node = new FakeNode()) {
      Run run = ingest(node.url(), file.toString());
      assertEquals(0, run.code(), run.err());
      assertEquals(3, run.summary().get("invalid_utf8").asInt());
      List<String> messages = new ArrayList<>();
      for (String document : node.documents()) {
        messages.add(JSON.readTree(document).get("message").asText());
      }
      assertEquals(
          List.of(
              "caf\u00e9",
              "ok \u20ac \ufffd \ud83d\ude00",
              "\u00fc and cut: \u00e2\u201a",
              "\u20ac\u0081"),
          messages);
    }
  }

  @Test
  void bulkBodiesKeepTheirIds() throws IOException {
    String text =
        "{\"index\":{\"_id\":\"7\"}}\n{\"a\":1}\n{\"create\":{\"_id\":\"8\"}}\n{\"a\":2}\n"
            + "{\"index\":{}}\n";
    try (FakeNode node = new FakeNode()) {
      Run run = ingest(node.url(), file("bulk.ndjson", text));
      assertEquals(1, run.code(), "the last action has no document");
      assertEquals(List.of("{\"a\":1}", "{\"a\":2}"), node.documents());
      assertEquals("bulk_format", deadLetters().get(0).get("type").asText());
    }
  }

  @Test
  void jsonOverSeveralLinesIsExplained() throws IOException {
    try (FakeNode node = new FakeNode()) {
      Run run = ingest(node.url(), file("pretty.json", "{\n  \"a\": 1\n}\n"));
      assertEquals(5, run.code());
      assertTrue(run.err().contains("jq -c"), run.err());
      assertEquals(0, node.documents().size());
    }
  }

  @Test
  void stackTracesBelongToTheirEvent() throws IOException {
    String text =
        """
        2024-05-06 10:00:00,123 ERROR [main] com.example.Shop - order failed
        java.lang.IllegalStateException: no stock
        \tat com.example.Stock.take(Stock.java:7)
        Caused by: java.io.IOException: gone
        \t... 3 more
        2024-05-06 10:00:01,000 INFO [main] com.example.Shop - next
        free text without a time
        """;
    try (FakeNode node = new FakeNode()) {
      Run run =
          ingest(node.url(), file("app.log", text), "--field", "team=shop", "--keep-original");
      assertEquals(0, run.code(), run.err());
      assertEquals(3, node.documents().size());
      JsonNode event = JSON.readTree(node.documents().get(0));
      assertEquals("2024-05-06T10:00:00.123Z", event.get("@timestamp").asText());
      assertEquals("ERROR", event.get("level").asText());
      assertEquals("shop", event.get("team").asText());
      assertTrue(event.get("message").asText().endsWith("IOException: gone\n\t... 3 more"));
      assertTrue(event.at("/event/original").asText().startsWith("2024-05-06"));
      assertEquals(
          "free text without a time",
          JSON.readTree(node.documents().get(2)).get("message").asText());
      assertTrue(node.requests.contains("PUT /logs-millrace"), "created with a mapping");
      assertTrue(node.created.get(0).contains("properties"), node.created.toString());
    }
    try (FakeNode node = new FakeNode()) {
      ingest(node.url(), file("app.log", text), "--no-join");
      assertEquals(7, node.documents().size());
      for (String document : node.documents()) {
        String message = JSON.readTree(document).get("message").asText();
        assertTrue(
            text.contains(message), "its own text and not that of a line before: " + message);
      }
      assertEquals(7, node.documents().stream().distinct().count());
    }
  }

  @Test
  void aTemplateOfTheClusterDecidesTheMapping() throws IOException {
    String template =
        "{\"template\":{\"settings\":{\"index\":{%s}},\"mappings\":{\"properties\":"
            + "{\"message\":{\"type\":\"text\"}}}},\"overlapping\":[]}";
    String line = "2024-05-06 10:00:00,123 ERROR [main] com.example.Shop - order failed\n";
    try (FakeNode node = new FakeNode()) {
      node.template = template.formatted("");
      assertEquals(0, ingest(node.url(), file("a.log", line)).code());
      assertEquals(List.of("{\"settings\":{\"auto_expand_replicas\":\"0-1\"}}"), node.created);
    }
    try (FakeNode node = new FakeNode()) {
      node.template = template.formatted("\"number_of_replicas\":\"2\"");
      assertEquals(0, ingest(node.url(), file("a.log", line)).code());
      assertEquals(List.of(), node.created, "the first bulk creates it");
      assertEquals(1, node.documents().size());
    }
  }

  @Test
  void linesInAnIndexOfAnyNameGetWhatMillraceSuggestsForLogs() throws IOException {
    String line = "2024-05-06 10:00:00,123 ERROR [main] com.example.Shop - order failed\n";
    String suggested =
        "{\"index_patterns\":[\"logs-*\"],\"template\":{\"settings\":{\"index.millrace.profile\":"
            + "\"logs\"},\"mappings\":{\"properties\":{\"message\":{\"type\":\"log_text\"}}}}}";
    try (FakeNode node = new FakeNode()) {
      node.millrace.put("/_millrace", "{\"warnings\":[]}");
      node.millrace.put("/_millrace/profiles/logs", suggested);
      assertEquals(0, ingest(node.url(), "-i", "app", file("a.log", line)).code());
      JsonNode body = JSON.readTree(node.created.get(0));
      assertEquals("logs", body.path("settings").path("index.millrace.profile").asText());
      assertEquals("0-1", body.path("settings").path("auto_expand_replicas").asText());
      assertEquals("log_text", body.at("/mappings/properties/message/type").asText());
    }
    try (FakeNode node = new FakeNode()) {
      node.millrace.put("/_millrace", "{\"warnings\":[\"node-2 lacks the plugin\"]}");
      node.millrace.put("/_millrace/profiles/logs", suggested);
      assertEquals(0, ingest(node.url(), "-i", "app", file("a.log", line)).code());
      assertFalse(node.created.get(0).contains("millrace"), "node-2 could not open it");
    }
  }

  @Test
  void whatHoldsNoLinesIsLeftOutOfSeveralInputs() throws IOException {
    String good = ndjson(3);
    Path xz =
        Files.write(
            folder.resolve("b.xz"), "\u00fd7zXZ\0\0\4rest".getBytes(StandardCharsets.ISO_8859_1));
    try (FakeNode node = new FakeNode()) {
      Run run = ingest(node.url(), folder.toString(), good, xz.toString());
      assertEquals(5, run.code());
      assertEquals(3, node.documents().size());
      assertTrue(run.err().contains("2 of 3 inputs cannot be read: "), run.err());
      assertTrue(run.err().contains("b.xz (compressed with xz)"), run.err());
      assertTrue(run.err().contains("the others were read"), run.err());
      Run alone = ingest(node.url(), xz.toString());
      assertEquals(5, alone.code());
      assertTrue(alone.err().contains("xz -dc " + xz + " | millrace ingest -"), alone.err());
      Run none = ingest(node.url(), xz.toString(), folder.toString());
      assertEquals(5, none.code());
      assertTrue(none.err().contains("Nothing was sent."), none.err());
      assertEquals(3, node.documents().size());
    }
  }

  @Test
  void everyFailureOfSeveralInputsIsTold() throws IOException {
    byte[] gz = gzip(Files.readString(Path.of(ndjson(2_000))));
    String[] cut = new String[2];
    for (int i = 0; i < cut.length; i++) {
      cut[i] =
          Files.write(folder.resolve("cut" + i + ".gz"), java.util.Arrays.copyOf(gz, gz.length / 2))
              .toString();
    }
    try (FakeNode node = new FakeNode()) {
      Run run = ingest(node.url(), cut);
      assertEquals(5, run.code());
      assertTrue(run.err().contains("cut0.gz: gzip data ends"), run.err());
      assertTrue(run.err().contains("cut1.gz: gzip data ends"), run.err());
    }
  }

  @Test
  void wrongOptionsAreUsageErrors() throws IOException {
    try (FakeNode node = new FakeNode()) {
      String good = ndjson(1);
      Run workers = ingest(node.url(), "--workers", "0", good);
      assertEquals(2, workers.code());
      assertTrue(workers.err().contains("--workers must be 1 to 64, was 0"), workers.err());
      Run mapping = ingest(node.url(), "--mapping", folder + "/none.json", good);
      assertEquals(2, mapping.code());
      assertTrue(mapping.err().contains("none.json cannot be read"), mapping.err());
      assertEquals(0, node.bulks.get());
    }
  }

  @Test
  void linesCannotControlTheTerminal() throws IOException {
    String evil = "no time \u009b2J\u0007\u202e here\n";
    try (FakeNode node = new FakeNode()) {
      Run explained = ingest(node.url(), "--explain", file("e.log", evil));
      assertFalse(explained.out().matches("(?s).*[\\x07\\x{9b}\\x{202e}].*"), explained.out());
      assertTrue(explained.out().contains("no time ?2J?? here"), explained.out());
      node.always(FakeNode.Manner.PICKY);
      Run refused = ingest(node.url(), file("p.log", "poison " + evil));
      assertEquals(1, refused.code());
      assertFalse(refused.err().matches("(?s).*[\\x07\\x{9b}\\x{202e}].*"), refused.err());
    }
  }

  @Test
  void eventsInAnIndexWithoutAProfileAreSaid() throws IOException {
    String timed = file("t.ndjson", "{\"@timestamp\":\"2024-05-06T10:00:00Z\",\"m\":1}\n");
    try (FakeNode node = new FakeNode()) {
      assertFalse(ingest(node.url(), "-i", "app", timed).err().contains("note:"), "stock");
      node.millrace.put("/_millrace", "{\"warnings\":[]}");
      Run said = ingest(node.url(), "-i", "app", timed);
      assertEquals(0, said.code(), said.err());
      assertTrue(said.err().contains("note: app has no profile"), said.err());
      Run products = ingest(node.url(), "-i", "app", file("p.ndjson", "{\"name\":\"chair\"}\n"));
      assertFalse(products.err().contains("note:"), "no events: " + products.err());
    }
  }
}
