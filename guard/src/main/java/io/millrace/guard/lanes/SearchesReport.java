package io.millrace.guard.lanes;

import io.millrace.guard.lanes.History.Use;
import io.millrace.kernel.report.NodeReportSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code GET /_millrace/searches}: the searches of shards on this node, the heaviest first. */
final class SearchesReport implements NodeReportSource {
  private static final int MOST = 100;

  private final Lanes lanes;

  private record Line(Turn turn, Use use) {}

  SearchesReport(Lanes lanes) {
    this.lanes = lanes;
  }

  @Override
  public Map<String, Object> report() {
    List<Map<String, Object>> searches =
        lanes.turns().stream()
            .map(turn -> new Line(turn, turn.used()))
            .sorted(Comparator.comparingLong((Line line) -> line.use.cpuNanos()).reversed())
            .limit(MOST)
            .map(SearchesReport::render)
            .toList();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("running_or_waiting", lanes.turns().size());
    report.put("waiting", lanes.waiting());
    report.put("paused", lanes.pausedNow());
    report.put("medium", lanes.mediumNow());
    report.put("heavy", lanes.heavyNow());
    report.put("searches", searches);
    return report;
  }

  private static Map<String, Object> render(Line line) {
    Turn turn = line.turn;
    Map<String, Object> map = new LinkedHashMap<>();
    // what a client may cancel is the search, not its part on a shard
    String id =
        turn.work().task().getParentTaskId().isSet()
            ? turn.work().task().getParentTaskId().toString()
            : "";
    map.put("id", id);
    map.put("index", turn.work().index());
    map.put("action", turn.work().action());
    map.put("lane", turn.lane.name().toLowerCase(Locale.ROOT));
    map.put("state", turn.state());
    map.put("since_millis", TimeUnit.NANOSECONDS.toMillis(turn.age()));
    map.put("cpu_millis", TimeUnit.NANOSECONDS.toMillis(line.use.cpuNanos()));
    map.put("allocated_bytes", line.use.bytes());
    map.put("client", turn.client().address());
    map.put("x_opaque_id", turn.client().name());
    map.put("source", turn.asked());
    map.put("cancel", id.isEmpty() ? "" : "POST /_millrace/searches/" + id + "/_cancel");
    return map;
  }
}
