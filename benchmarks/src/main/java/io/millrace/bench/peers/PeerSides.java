package io.millrace.bench.peers;

import io.millrace.bench.run.Nodes;
import io.millrace.bench.scenario.Side;
import io.millrace.bench.term.BenchFailure;
import io.millrace.bench.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sides that can be compared, by name: nodes of both trees, and what is installed beside. */
public final class PeerSides {
  private static final String PYTHON = "venv/bin/python";
  private static final String VICTORIA_LOGS = "victoria-logs";

  private final Map<String, PeerSide> sides = new LinkedHashMap<>();
  private final Map<String, Path> needed = new LinkedHashMap<>();
  private final Path installed;

  /**
   * All sides.
   *
   * @param scripts the folder {@code benchmarks/peers}
   * @param installed where its command {@code install} has put libraries and binaries
   * @param port of nodes and servers, and the next one
   * @param workers concurrent requests that load a node or a server
   */
  public PeerSides(Nodes nodes, Path scripts, Path installed, int port, int workers) {
    this.installed = installed;
    Side stock = Side.stock("stock").asShipped().jvm("stock").index("queries.cache.enabled", false);
    Map<String, String> subFields = new LinkedHashMap<>();
    for (String keyword : List.of("host", "service", "level", "trace_id")) {
      subFields.put(keyword, keyword + ".keyword");
    }
    add(NodePeer.side(stock.named(subFields), nodes, workers));
    Side mapped = stock.labelled("stock, mapped").mapping(Workloads.logs().mapping());
    add(NodePeer.side(mapped, nodes, workers));
    Side millrace =
        Side.millrace("Millrace").asShipped().jvm("stock").index("queries.cache.enabled", false);
    add(NodePeer.side(millrace, nodes, workers));
    Path victoria = installed.resolve(VICTORIA_LOGS);
    add(VictoriaLogsPeer.side("VictoriaLogs", victoria, port, workers), victoria);
    script("tantivy", scripts.resolve("tantivy_peer.py"));
    script("ClickHouse", scripts.resolve("clickhouse_peer.py"), "bloom");
    script("ClickHouse, text index", scripts.resolve("clickhouse_peer.py"), "text");
    script("DuckDB", scripts.resolve("duckdb_peer.py"));
  }

  private void script(String name, Path script, String... arguments) {
    Path python = installed.resolve(PYTHON);
    add(ScriptPeer.side(name, python, script, arguments), python);
  }

  private void add(PeerSide side) {
    sides.put(side.name(), side);
  }

  private void add(PeerSide side, Path need) {
    add(side);
    needed.put(side.name(), need);
  }

  /** The names of all sides. */
  public List<String> names() {
    return List.copyOf(sides.keySet());
  }

  /**
   * The sides of these names, in this order.
   *
   * @throws BenchFailure for a name that no side has, and for a side that is not installed
   */
  public List<PeerSide> named(List<String> names) {
    List<PeerSide> found = new ArrayList<>();
    for (String name : names) {
      PeerSide side = sides.get(name);
      if (side == null) {
        throw new BenchFailure(
            "--side: no side is called '" + name + "'; there are " + String.join("; ", names()));
      }
      Path need = needed.get(name);
      if (need != null && !Files.exists(need)) {
        throw new BenchFailure(
            name
                + " is not in "
                + installed
                + "; run benchmarks/peers/install, or name other sides"
                + " with --side");
      }
      found.add(side);
    }
    return found;
  }
}
