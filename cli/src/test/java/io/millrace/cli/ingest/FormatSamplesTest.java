package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.ingest.lines.FormatCatalog;
import io.millrace.cli.ingest.lines.FormatDefinition;
import io.millrace.cli.ingest.lines.FormatDefinition.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
  /** Formats whose lines have no time, whoever reads them. */
  private static final List<String> TIMELESS = List.of("dotnet-console", "kernel", "xorg");

  @TempDir Path folder;

  private static final List<FormatDefinition> BUILT_IN = FormatCatalog.builtIn();

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
        ReadLines read = ReadLines.of(node, folder.resolve("s.log"), sample.lines());
        List<JsonNode> found = read.documents();
        int timeless = TIMELESS.contains(format.name()) ? found.size() : 0;
        assertEquals(timeless, read.counters().arrivalTime.sum(), sample.lines());
        String documents = found.stream().map(d -> "=> " + d).collect(Collectors.joining("\n"));
        samples.put(sample.lines(), documents);
        assertEquals(withoutHeaders(sample.lines()), ReadLines.putBack(found), "put back");
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
        all.size() > 1 && (all.get(0).matches("#\\D.*") || all.get(0).startsWith("Level,"));
    boolean names = columns && !all.get(0).startsWith("# ");
    return all.stream()
        .filter(l -> !names || !(l.startsWith("#") || l.equals(all.get(0))))
        .collect(Collectors.joining("\n"));
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
