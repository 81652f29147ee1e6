package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lines as programs write them that no format was made for, and mixtures of formats. The file
 * {@code strangers.golden} has a block for each: {@code ## name}, the lines, and {@code =>} for
 * each event with its time, level, host, program and number of lines. {@code
 * -Dstrangers.rewrite=cli/src/test/resources/io/millrace/cli/ingest/strangers.golden} writes the
 * events anew; what changed is then to be judged.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class StrangersTest {
  @TempDir Path folder;

  /** A name that ends so has lines whose time cannot be known. */
  private static final String TIMELESS = "without a time";

  private record Block(String name, List<String> lines, List<String> events) {}

  private static List<Block> golden() throws IOException {
    List<Block> blocks = new ArrayList<>();
    try (InputStream in = StrangersTest.class.getResourceAsStream("strangers.golden")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith("## ")) {
          blocks.add(new Block(line.substring(3), new ArrayList<>(), new ArrayList<>()));
        } else if (!line.isEmpty()) {
          Block last = blocks.get(blocks.size() - 1);
          (line.startsWith("=> ") ? last.events : last.lines).add(line);
        }
      }
    }
    return blocks;
  }

  private static String event(JsonNode document) {
    StringBuilder out = new StringBuilder("=> ");
    out.append(document.path("@timestamp").asText("-"));
    out.append(' ').append(document.path("level").asText("-"));
    for (String name : new String[] {"host", "process"}) {
      if (document.path(name).isTextual()) {
        out.append(' ').append(name).append('=').append(document.path(name).asText());
      }
    }
    long lines = document.path("message").asText("").lines().count();
    return lines > 1 ? out.append(" lines=").append(lines).toString() : out.toString();
  }

  @Test
  void eachBlockIsReadAsTheGoldenFileSays() throws IOException {
    StringBuilder was = new StringBuilder();
    StringBuilder now = new StringBuilder();
    List<String> wrong = new ArrayList<>();
    try (FakeNode node = new FakeNode()) {
      for (Block block : golden()) {
        String head = "## " + block.name + "\n" + String.join("\n", block.lines) + "\n";
        ReadLines read =
            ReadLines.of(node, folder.resolve("s.log"), String.join("\n", block.lines));
        was.append(head).append(String.join("\n", block.events)).append('\n');
        now.append(head);
        read.documents().forEach(d -> now.append(event(d)).append('\n'));
        long timeless = read.counters().arrivalTime.sum() + read.counters().timelessJson.sum();
        if (block.name.endsWith(TIMELESS) != timeless > 0) {
          wrong.add(block.name + ": " + timeless + " without a time");
        }
        keepsEachLine(block, read);
      }
    }
    String rewrite = System.getProperty("strangers.rewrite");
    if (rewrite != null) {
      Files.writeString(Path.of(rewrite), now.toString());
    } else {
      assertEquals(was.toString(), now.toString());
    }
    assertEquals(List.of(), wrong);
  }

  /** Plain lines can be put back, in their order, whatever became of them. */
  private static void keepsEachLine(Block block, ReadLines read) throws IOException {
    if (read.counters().headers.sum() > 0) {
      return; // lines that name columns are counted and not kept
    }
    List<String> plain = block.lines.stream().filter(l -> !Format.isObject(l)).toList();
    List<String> kept = new ArrayList<>();
    for (JsonNode document : read.documents()) {
      JsonNode layout = document.get("layout");
      boolean json = layout == null ? !document.has("file") : layout.asText().startsWith("json:");
      if (!json) {
        kept.addAll(ReadLines.original(document).lines().toList());
      }
    }
    assertEquals(
        plain.stream().filter(l -> !l.isBlank()).toList(),
        kept.stream().filter(l -> !l.isBlank()).toList(),
        block.name);
  }
}
