package io.millrace.cluster.balance;

import io.millrace.kernel.report.NodeReportSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;

/** The load of every node and the last moves, as the cluster manager knows them. */
final class BalanceReport implements NodeReportSource {
  /** The subject under which a node asks the cluster manager. */
  static final String SUBJECT = "balance";

  static final String MOVES = "moves";

  private final Balancing balancing;
  private final Supplier<@Nullable ClusterState> state;

  BalanceReport(Balancing balancing, Supplier<@Nullable ClusterState> state) {
    this.balancing = balancing;
    this.state = state;
  }

  @Override
  public Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("allocator", balancing.selected() ? LoadAllocator.NAME : "another");
    report.put("enabled", balancing.watches());
    report.put("dry_run", balancing.limits().dryRun());
    report.put("indices_with_known_rates", balancing.book().size());
    Balancing.Round last = balancing.last();
    report.put(
        "last_round",
        Map.of(
            "moves", last.moves(),
            "took_ms", last.tookNanos() / 1_000_000,
            "stock_took_ms", last.stockNanos() / 1_000_000));
    ClusterState now = state.get();
    if (now != null && now.getRoutingNodes().size() > 0) {
      loads(report, balancing.load(now));
    }
    report.put(MOVES, balancing.log().last().stream().map(MoveLog.Move::report).toList());
    return report;
  }

  private static void loads(Map<String, Object> report, ClusterLoad load) {
    Map<String, Object> average = new LinkedHashMap<>();
    average.put("write_load", MoveLog.rounded(load.averageWrite()));
    average.put("bytes", (long) load.averageBytes());
    average.put("shards", MoveLog.rounded(load.averageShards()));
    report.put("average", average);
    List<Object> nodes = new ArrayList<>();
    for (NodeLoad node : load.nodes()) {
      Map<String, Object> one = MoveLog.Side.of(node).report();
      one.put("crowding", MoveLog.rounded(node.crowding()));
      one.put("cost", MoveLog.rounded(load.cost(node)));
      nodes.add(one);
    }
    report.put("nodes", nodes);
  }
}
