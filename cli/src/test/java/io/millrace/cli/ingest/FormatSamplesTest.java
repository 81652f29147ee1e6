package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.ingest.lines.FormatCatalog;
import io.millrace.cli.ingest.lines.FormatDefinition;
import io.millrace.cli.ingest.lines.FormatDefinition.Sample;
import io.millrace.cli.ingest.lines.Layout;
import io.millrace.cli.ingest.lines.LineOptions;
import io.millrace.cli.ingest.lines.TimeFormats;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each format of the resource folder reads its samples as it says, and each line can be put back
 * from its document. {@code -Dformats.rewrite=cli/src/main/resources} writes the documents anew.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FormatSamplesTest {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** What has no time, whoever reads it. */
  private static final List<String> TIMELESS =
      List.of(
          "info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://localhost:5000");

  @TempDir Path folder;

  private static final Instant NOW = Instant.parse("2024-05-06T12:00:00Z");

  private static final List<FormatDefinition> BUILT_IN = FormatCatalog.builtIn();

  /** What a file of these lines becomes. */
  private List<JsonNode> documents(FakeNode node, String lines) throws IOException {
    Path file = Files.writeString(folder.resolve("s.log"), lines + "\n");
    Files.setLastModifiedTime(file, FileTime.from(NOW));
    node.clear();
    Counters counters = new Counters();
    PrintWriter err = new PrintWriter(new StringWriter());
    ClusterClient cluster = new ClusterClient(ClientOptions.of(List.of(node.url())));
    LineOptions options =
        new LineOptions(
            ZoneOffset.UTC, BUILT_IN, false, new TimeFormats(List.of(), ZoneOffset.UTC), null);
    try (DeadLetters dead = new DeadLetters(folder.resolve("dead.ndjson"), err);
        BulkLoader loader =
            new BulkLoader(cluster, LoaderOptions.defaults("x"), counters, dead, err, false);
        InputStream in = Files.newInputStream(file)) {
      new InputReader(
              loader,
              new ReaderOptions(
                  Format.AUTO, options, 1 << 20, 256 << 10, true, false, false, Map.of()),
              counters,
              () -> {},
              () -> 0,
              () -> false)
          .read(Input.of(file.toString()), in);
    }
    assertEquals(TIMELESS.contains(lines) ? 1 : 0, counters.arrivalTime.sum(), lines);
    List<JsonNode> all = new ArrayList<>();
    for (String document : node.documents()) {
      all.add(JSON.readTree(document));
    }
    return all;
  }

  @TestFactory
  List<DynamicTest> everyFormatReadsItsSamplesAsItSays() {
    return BUILT_IN.stream()
        .map(format -> DynamicTest.dynamicTest(format.name(), () -> check(format)))
        .toList();
  }

  private void check(FormatDefinition format) throws IOException {
    assertTrue(!format.samples().isEmpty(), "a format without a sample proves nothing");
    String rewrite = System.getProperty("formats.rewrite");
    Map<String, String> samples = new HashMap<>();
    try (FakeNode node = new FakeNode()) {
      for (Sample sample : format.samples()) {
        List<JsonNode> found = documents(node, sample.lines());
        String documents = found.stream().map(d -> "=> " + d).collect(Collectors.joining("\n"));
        samples.put(sample.lines(), documents);
        assertEquals(withoutHeaders(sample.lines()), putBack(found), "put back");
        if (rewrite == null) {
          assertEquals(
              sample.documents().stream().map(d -> "=> " + d).collect(Collectors.joining("\n")),
              documents);
        }
      }
    } finally {
      if (rewrite != null) {
        rewrite(format, rewrite, samples);
      }
    }
  }

  private static String withoutHeaders(String lines) {
    List<String> all = lines.lines().toList();
    boolean columns =
        all.size() > 1 && (all.get(0).startsWith("#") || all.get(0).startsWith("Level,"));
    boolean names = columns && !all.get(0).startsWith("# ");
    return all.stream()
        .filter(l -> !names || !(l.startsWith("#") || l.equals(all.get(0))))
        .collect(Collectors.joining("\n"));
  }

  private static String putBack(List<JsonNode> documents) throws IOException {
    List<String> lines = new ArrayList<>();
    List<String> records = new ArrayList<>();
    for (JsonNode document : documents) {
      JsonNode layout = document.get("layout");
      if (layout != null && layout.asText().startsWith("json:")) {
        records.add(Layout.json(layout.asText(), (ObjectNode) document.deepCopy()).toString());
      } else if (layout != null) {
        lines.add(Layout.line(layout.asText(), name -> text(document.get(name))));
      } else {
        JsonNode original = document.at("/event/original");
        lines.add(original.isMissingNode() ? document.get("message").asText() : original.asText());
      }
    }
    if (records.size() > 1 && records.get(0).contains("eventVersion")) {
      return "{\"Records\":[" + String.join(",", records) + "]}";
    }
    lines.addAll(records);
    return String.join("\n", lines);
  }

  private static @Nullable String text(@Nullable JsonNode value) {
    return value == null ? null : value.asText();
  }

  private static void rewrite(FormatDefinition format, String folder, Map<String, String> samples)
      throws IOException {
    Path file =
        Path.of(folder).resolve("io/millrace/cli/ingest/formats/" + format.name() + ".format");
    List<String> lines = new ArrayList<>();
    StringBuilder sample = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("sample: ")) {
        sample.append(sample.isEmpty() ? "" : "\n").append(line.substring(8));
      } else if (line.startsWith("=> ")) {
        if (!sample.isEmpty()) {
          lines.add(samples.getOrDefault(sample.toString(), line));
        }
        sample.setLength(0);
        continue;
      }
      lines.add(line);
    }
    Files.writeString(file, String.join("\n", lines) + "\n");
  }

  @Test
  void atLeastFortyFormatsComeWithTheCommandEachUnderItsOwnName() {
    List<String> names = FormatCatalog.builtIn().stream().map(FormatDefinition::name).toList();
    assertTrue(names.size() >= 40, "formats: " + names.size());
    assertEquals(names.size(), names.stream().distinct().count());
    for (FormatDefinition format : FormatCatalog.builtIn()) {
      assertNotNull(format.title());
      assertTrue(!format.title().isBlank(), format.name());
    }
  }
}
