package io.millrace.bench.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.load.HeapPeak;
import io.millrace.bench.load.NodeClient;
import io.millrace.bench.load.NodeCpu;
import io.millrace.bench.os.ThreadCpu;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What it costs a node to give all rows of an index away: by scroll with the whole {@code _source}
 * and with includes, and by {@code millrace export} in both formats, by turns. CPU is that of the
 * node's process on this machine, without its compilers; the heap is the most that its old
 * generation held.
 *
 * <p>Arguments: {@code URL INDEX COLUMNS TREE ROUNDS}: a Millrace node, an index, its columns with
 * commas between them, an assembled tree whose {@code millrace} is run, and turns of each way.
 */
public final class ExportMain {
  private static final int PAGE = 10_000;

  /** Gives all rows away and returns how many there were. */
  private interface Way {
    long run() throws IOException;
  }

  private record NamedWay(String name, Way way) {}

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final NodeClient node;
  private final NodeCpu cpu;
  private final String url;
  private final String index;
  private final String columns;
  private final Path tree;

  private ExportMain(NodeClient node, String[] args) {
    this.node = node;
    this.cpu = NodeCpu.of(node);
    this.url = args[0];
    this.index = args[1];
    this.columns = args[2];
    this.tree = Path.of(args[3]).toAbsolutePath();
  }

  public static void main(String[] args) throws IOException {
    if (args.length != 5) {
      System.err.println("usage: URL INDEX COLUMNS TREE ROUNDS");
      System.exit(2);
    }
    try (NodeClient node = new NodeClient(URI.create(args[0]))) {
      new ExportMain(node, args).run(Integer.parseInt(args[4]));
    }
  }

  private void run(int rounds) throws IOException {
    List<NamedWay> ways =
        List.of(
            new NamedWay("scroll, _source", () -> scroll(true)),
            new NamedWay("scroll, _source includes", () -> scroll(List.of(columns.split(",")))),
            new NamedWay("export, NDJSON", () -> export("ndjson")),
            new NamedWay("export, Arrow", () -> export("arrow")));
    Map<String, Double> perSecond = new LinkedHashMap<>();
    out.println("| way | rows | rows for a CPU-second | x scroll | most of the old generation |");
    out.println("|---|---|---|---|---|");
    for (int round = -1; round < rounds; round++) {
      for (int turn = 0; turn < ways.size(); turn++) {
        NamedWay way = ways.get(Math.floorMod(turn + round, ways.size()));
        ThreadCpu before = cpu.now();
        long rows;
        long heap;
        try (HeapPeak peak = new HeapPeak(node)) {
          rows = way.way.run();
          heap = peak.bytes();
        }
        double each = rows * 1e9 / Math.max(cpu.now().nanosSince(before), 1);
        if (round >= 0) { // the first one warms up
          perSecond.merge(way.name, each / rounds, Double::sum);
          out.printf(
              Locale.ROOT, "| %s | %d | %.0f | | %d MB |%n", way.name, rows, each, heap >> 20);
        }
      }
    }
    double scrolled = perSecond.getOrDefault(ways.getFirst().name, Double.NaN);
    perSecond.forEach((name, each) ->
        out.printf(Locale.ROOT, "| %s | mean | %.0f | %.2f | |%n", name, each, each / scrolled));
  }

  private long scroll(Object source) {
    Map<String, Object> body = Map.of("size", PAGE, "sort", List.of("_doc"), "_source", source);
    JsonNode page = node.post("/" + index + "/_search?scroll=5m", body);
    long rows = 0;
    while (!page.path("hits").path("hits").isEmpty()) {
      rows += page.path("hits").path("hits").size();
      page =
          node.post(
              "/_search/scroll",
              Map.of("scroll", "5m", "scroll_id", page.path("_scroll_id").asText()));
    }
    byte[] id = BenchJson.bytes(Map.of("scroll_id", List.of(page.path("_scroll_id").asText())));
    node.send("DELETE", "/_search/scroll", id, "application/json");
    return rows;
  }

  private long export(String format) throws IOException {
    Path file = Files.createTempFile("millrace-export", "." + format);
    try {
      TreeCommand.run(
          tree,
          file.resolveSibling(file.getFileName() + ".out"),
          List.of(
              "export",
              index,
              "--url",
              url,
              "--columns",
              columns,
              "--format",
              format,
              "--page",
              Integer.toString(PAGE),
              "--output",
              file.toString(),
              "--force"));
      return node.get("/" + index + "/_count").path("count").asLong();
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
