package io.millrace.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The golden hashes: whoever changes the corpus changes every measurement made on it. */
class CorpusTest {
  private static String sha(DocumentSource source, int documents) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long bytes = source.writeNdjson(out, documents);
    assertEquals(out.size(), bytes);
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(out.toByteArray());
    return HexFormat.of().formatHex(hash, 0, 12);
  }

  @Test
  void sameSeedGivesTheSameBytesForever() throws Exception {
    assertEquals("2d02e2a53c3cfee80a1cdecd", sha(new LogGenerator(7), 20_000));
    assertEquals("208807a4d2a0924759a2954a", sha(new WideDocuments(7), 200));
    assertEquals("f8969c84bde2448e433d80d7", sha(new TraceSegments(7), 5_000));
  }

  @Test
  void anotherSeedGivesOtherBytes() throws Exception {
    assertFalse(sha(new LogGenerator(7), 100).equals(sha(new LogGenerator(8), 100)));
  }

  @Test
  void localeAndZoneDoNotMatter() throws Exception {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    String before = sha(new LogGenerator(3), 1_000);
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
      assertEquals(before, sha(new LogGenerator(3), 1_000));
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }

  @Test
  void defaultsAreStated() {
    LogGenerator.Options options = LogGenerator.Options.defaults();
    assertEquals(1_700_000_000_000L, options.startMillis());
    assertEquals(20, options.meanGapMillis());
    assertEquals(200, options.hosts());
    assertEquals(5_000, options.users());
    assertEquals(128L << 20, RealLines.DEFAULT_MAX_BYTES);
    assertThrows(IllegalArgumentException.class, () -> new LogGenerator.Options(0, 1, 0, 1));
  }

  @Test
  void documentsLookLikeTheMeasuredOnes() {
    LogGenerator generator = new LogGenerator(1);
    Map<String, Integer> hosts = new HashMap<>();
    Pattern host = Pattern.compile("\"host\":\"([^\"]+)\"");
    Pattern time = Pattern.compile("\"@timestamp\":\"([^\"]+)\"");
    long bytes = 0;
    Instant last = Instant.EPOCH;
    boolean stack = false;
    boolean unicode = false;
    for (int i = 0; i < 20_000; i++) {
      String document = new String(generator.next(), StandardCharsets.UTF_8);
      bytes += document.length();
      Matcher at = time.matcher(document);
      assertTrue(at.find(), document);
      Instant now = Instant.parse(at.group(1));
      assertFalse(now.isBefore(last));
      last = now;
      Matcher name = host.matcher(document);
      assertTrue(name.find());
      hosts.merge(name.group(1), 1, Integer::sum);
      stack |= document.contains("\\n\\tat ");
      unicode |= document.codePoints().anyMatch(c -> c > 0x7f);
      assertFalse(document.contains("\n"));
    }
    assertTrue(stack);
    assertTrue(unicode);
    assertTrue(hosts.size() > 190, "hosts: " + hosts.size());
    int most = hosts.values().stream().max(Integer::compare).orElse(0);
    assertTrue(most > 3 * 20_000 / 200, "the most frequent host: " + most);
    double mean = bytes / 20_000.0;
    assertTrue(mean > 330 && mean < 400, "mean document: " + mean);
  }

  @Test
  void bulkBodyPairsActionsAndDocuments() {
    JsonBuffer out = new JsonBuffer();
    new LogGenerator(1).bulkBody(out, 3);
    String[] lines = out.toString().split("\n");
    assertEquals(6, lines.length);
    assertEquals("{\"create\":{}}", lines[4]);
    assertTrue(lines[5].startsWith("{\"@timestamp\""));
  }

  @Test
  void realLinesAreMultipliedWithFreshDigits(@TempDir Path folder) throws IOException {
    Files.write(
        folder.resolve("Zed_2k.log"),
        "took 12345 ms on a\\b \"q\"\n\nbad \u00ff byte\n".getBytes(StandardCharsets.ISO_8859_1));
    Files.writeString(folder.resolve("other.txt"), "not taken\n");
    LogGenerator.Options options = LogGenerator.Options.defaults();
    RealLines lines = new RealLines(5, options, folder, 1 << 20);
    assertEquals(2, lines.distinctLines());
    boolean same = false;
    boolean fresh = false;
    boolean replaced = false;
    for (int i = 0; i < 200; i++) {
      String document = new String(lines.next(), StandardCharsets.UTF_8);
      assertTrue(document.contains("\"service\":\"zed\""), document);
      assertFalse(document.contains("not taken"));
      same |= document.contains("took 12345 ms on a\\\\b \\\"q\\\"");
      fresh |= document.contains("took ") && !document.contains("took 12345");
      replaced |= document.contains("bad \ufffd byte");
    }
    assertTrue(same && fresh && replaced);
  }

  @Test
  void aFolderWithoutLinesIsNamed(@TempDir Path folder) {
    LogGenerator.Options options = LogGenerator.Options.defaults();
    IOException empty =
        assertThrows(IOException.class, () -> new RealLines(1, options, folder, 1 << 20));
    assertTrue(empty.getMessage().contains(folder.toString()));
    assertThrows(
        IOException.class, () -> new RealLines(1, options, folder.resolve("absent"), 1 << 20));
  }

  @Test
  void wideDocumentsMatchTheirMapping() {
    WideDocuments wide = new WideDocuments(1, 400, 10);
    String document = new String(wide.next(), StandardCharsets.UTF_8);
    assertEquals(401, document.split("\":").length - 1);
    assertTrue(wide.mapping().contains("\"k199\":{\"type\":\"keyword\"}"));
    assertTrue(wide.mapping().contains("\"n199\":{\"type\":\"long\"}"));
    assertEquals(10, wide.keywordValues());
  }

  @Test
  void mappingsAreInTheJar() {
    assertTrue(Mappings.LOGS.body().contains("\"message\":{\"type\":\"text\"}"));
    assertTrue(Mappings.TRACES.body().contains("\"segment_id\""));
  }

  @Test
  void jsonBufferWritesEdges() {
    assertEquals("-9223372036854775808", new JsonBuffer().number(Long.MIN_VALUE).toString());
    assertEquals("0", new JsonBuffer().number(0).toString());
    assertEquals("1.002", new JsonBuffer().thousandths(1002).toString());
    assertEquals("\\u0001\\n\\\"", new JsonBuffer().escaped("\u0001\n\"").toString());
    assertEquals("00ff", new JsonBuffer().hex(255, 4).toString());
    for (long millis : new long[] {0, 951_782_400_123L, -1, 4_102_444_799_999L}) {
      String expected = Instant.ofEpochMilli(millis).toString();
      String got = new JsonBuffer().instant(millis).toString();
      assertEquals(Instant.parse(expected), Instant.parse(got));
    }
  }
}
