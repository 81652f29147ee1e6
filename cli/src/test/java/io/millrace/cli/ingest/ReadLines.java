package io.millrace.cli.ingest;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.ingest.lines.FormatCatalog;
import io.millrace.cli.ingest.lines.FormatDefinition;
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
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lines read as a file of {@link #NOW}, with the formats that come with the command. */
record ReadLines(List<JsonNode> documents, Counters counters) {
  /** When the file was written last. */
  static final Instant NOW = Instant.parse("2024-05-06T12:00:00Z");

  private static final List<FormatDefinition> FORMATS = FormatCatalog.builtIn();
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /**
   * Reads lines.
   *
   * @param file where the lines are put for that
   */
  static ReadLines of(FakeNode node, Path file, String lines) throws IOException {
    return of(node, file, lines, ZoneOffset.UTC, NOW);
  }

  /**
   * Reads lines of another place and time.
   *
   * @param zone of times that name none
   * @param written when the file was written last
   */
  static ReadLines of(FakeNode node, Path file, String lines, ZoneId zone, Instant written)
      throws IOException {
    Files.writeString(file, lines + "\n");
    Files.setLastModifiedTime(file, FileTime.from(written));
    node.clear();
    Counters counters = new Counters();
    PrintWriter err = new PrintWriter(new StringWriter());
    ClusterClient cluster = new ClusterClient(ClientOptions.of(List.of(node.url())));
    LineOptions options =
        new LineOptions(zone, FORMATS, false, new TimeFormats(List.of(), zone), null);
    try (DeadLetters dead = new DeadLetters(file.resolveSibling("dead.ndjson"), err);
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
    List<JsonNode> all = new ArrayList<>();
    for (String document : node.documents()) {
      all.add(JSON.readTree(document));
    }
    return new ReadLines(all, counters);
  }

  /** The lines that these documents were made of. */
  static String putBack(List<JsonNode> documents) throws IOException {
    List<String> lines = new ArrayList<>();
    List<String> records = new ArrayList<>();
    for (JsonNode document : documents) {
      JsonNode layout = document.get("layout");
      if (layout != null && layout.asText().startsWith("json:")) {
        records.add(Layout.json(layout.asText(), (ObjectNode) document.deepCopy()).toString());
      } else {
        lines.add(original(document));
      }
    }
    if (records.size() > 1 && records.get(0).contains("eventVersion")) {
      return "{\"Records\":[" + String.join(",", records) + "]}";
    }
    lines.addAll(records);
    return String.join("\n", lines);
  }

  /** The plain line or lines that a document was made of. */
  static String original(JsonNode document) {
    JsonNode layout = document.get("layout");
    if (layout != null) {
      return Layout.line(layout.asText(), name -> text(document.get(name)));
    }
    JsonNode original = document.at("/event/original");
    return original.isMissingNode() ? document.get("message").asText() : original.asText();
  }

  private static @Nullable String text(@Nullable JsonNode value) {
    return value == null ? null : value.asText();
  }
}
