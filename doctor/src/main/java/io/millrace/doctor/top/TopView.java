package io.millrace.doctor.top;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.unit.Units;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Two samples as a page of text. */
public final class TopView {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  /** Elasticsearch 8 writes the shares of CPU and the rest in between. */
  private static final Pattern THREAD =
      Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)%.*cpu usage by thread '(.*)'.*");

  private static final Pattern NODE = Pattern.compile("::: \\{([^}]*)}.*");

  private final TopSample first;
  private final TopSample last;
  private final TopOrder order;
  private final double seconds;

  /**
   * @param first the earlier one; the same as {@code last} when there is none, and rates are 0 then
   */
  public TopView(TopSample first, TopSample last, TopOrder order) {
    this.first = first;
    this.last = last;
    this.order = order;
    this.seconds = (last.nanos() - first.nanos()) / 1e9;
  }

  /** One index, with its rates. */
  private record Row(
      String name,
      double writes,
      double searches,
      long writeMillis,
      long searchMillis,
      long docs,
      long bytes,
      long waiting,
      boolean late) {}

  /**
   * The page.
   *
   * @param cluster its name and version
   * @param width columns that a line may take
   * @param height lines that there are, at least 20
   */
  public List<String> lines(String cluster, int width, int height) {
    List<String> lines = new ArrayList<>();
    JsonNode health = last.health();
    lines.add(
        cut(
            TIME.format(last.taken().atZone(ZoneId.systemDefault()))
                + "  "
                + cluster
                + "  "
                + health.path("status").asText("?")
                + "  nodes "
                + health.path("number_of_nodes").asText("?")
                + "  shards "
                + health.path("active_shards").asText("?")
                + "  unassigned "
                + health.path("unassigned_shards").asText("?"),
            width));
    int room = Math.max(12, height - 12);
    section(lines, "nodes", nodes().lines(width, room / 5 + 1));
    section(lines, "indices", indices().lines(width, room / 4 + 1));
    section(lines, "shards", shards().lines(width, room / 6 + 1));
    section(lines, "tasks", tasks().lines(width, room / 6 + 1));
    section(lines, "threads", threads().lines(width, room / 4 + 1));
    return lines;
  }

  private void section(List<String> lines, String part, List<String> table) {
    lines.add("");
    String why = last.missing().get(part);
    if (why == null) {
      lines.addAll(table);
    } else {
      lines.add(table.getFirst());
      lines.add("  not to be seen: " + why);
    }
  }

  private TextTable nodes() {
    TextTable table =
        new TextTable(
            "NODE",
            "CPU%",
            "LOAD",
            "HEAP%",
            "GC%",
            "WRITES/s",
            "SEARCHES/s",
            "WRITE Q",
            "SEARCH Q",
            "REJECTED",
            "REJ/s");
    last.nodes()
        .path("nodes")
        .properties()
        .forEach(entry -> {
          JsonNode now = entry.getValue();
          JsonNode then = first.nodes().path("nodes").path(entry.getKey());
          table.row(
              now.path("name").asText(entry.getKey()),
              Json.at(now, "os.cpu.percent")
                  .asText(Json.at(now, "process.cpu.percent").asText("?")),
              Json.at(now, "os.cpu.load_average.1m").asText("-"),
              Json.at(now, "jvm.mem.heap_used_percent").asText("?"),
              Units.number(Math.rint(rate(collecting(now) - collecting(then))) / 10),
              rate(now, then, "indices.indexing.index_total"),
              rate(now, then, "indices.search.query_total"),
              queue(now, "write", "bulk"),
              queue(now, "search", "search"),
              Units.number(rejected(now)),
              Units.number(Math.rint(rate(rejected(now) - rejected(then)))));
        });
    return table;
  }

  private static long collecting(JsonNode node) {
    long millis = 0;
    for (JsonNode collector : Json.at(node, "jvm.gc.collectors")) {
      millis += collector.path("collection_time_in_millis").asLong(0);
    }
    return millis;
  }

  private static long rejected(JsonNode node) {
    long count = 0;
    for (JsonNode pool : node.path("thread_pool")) {
      count += pool.path("rejected").asLong(0);
    }
    return count;
  }

  private static String queue(JsonNode node, String pool, String older) {
    JsonNode pools = node.path("thread_pool");
    return (pools.has(pool) ? pools.path(pool) : pools.path(older)).path("queue").asText("-");
  }

  /** The names of the busiest indices, for the shards of the next sample. */
  public List<String> busiest() {
    return rows().stream().map(Row::name).limit(3).toList();
  }

  private List<Row> rows() {
    Map<String, JsonNode> fresh = new HashMap<>();
    for (JsonNode node : last.freshness().path("nodes")) {
      node.path("indices")
          .properties()
          .forEach(entry ->
              fresh.merge(
                  entry.getKey(), entry.getValue(), (a, b) -> waiting(a) >= waiting(b) ? a : b));
    }
    List<Row> rows = new ArrayList<>();
    last.indices()
        .path("indices")
        .properties()
        .forEach(entry -> {
          JsonNode now = entry.getValue();
          JsonNode then = first.indices().path("indices").path(entry.getKey());
          @Nullable JsonNode seen = fresh.get(entry.getKey());
          rows.add(
              new Row(
                  entry.getKey(),
                  rate(grew(now, then, "primaries.indexing.index_total")),
                  rate(grew(now, then, "total.search.query_total")),
                  grew(now, then, "total.indexing.index_time_in_millis"),
                  grew(now, then, "total.search.query_time_in_millis"),
                  Json.number(now, "primaries.docs.count"),
                  Json.number(now, "total.store.size_in_bytes"),
                  seen == null ? -1 : waiting(seen),
                  seen != null && seen.path("late").asBoolean()));
        });
    Comparator<Row> by =
        switch (order) {
          case WRITES -> Comparator.comparingDouble(Row::writes);
          case SEARCHES -> Comparator.comparingDouble(Row::searches);
          case DISK -> Comparator.comparingLong(Row::bytes);
          case FRESHNESS -> Comparator.comparingLong(Row::waiting);
        };
    rows.sort(by.thenComparingLong(Row::docs).reversed().thenComparing(Row::name));
    return rows;
  }

  private static long waiting(JsonNode index) {
    return index.path("waiting_in_millis").asLong(0);
  }

  private TextTable indices() {
    boolean millrace = last.freshness().has("nodes");
    TextTable table =
        millrace
            ? new TextTable(
                "INDEX (by " + order.text() + ")",
                "WRITES/s",
                "BUSY%",
                "SEARCHES/s",
                "BUSY%",
                "DOCS",
                "DISK",
                "WAITING")
            : new TextTable(
                "INDEX (by " + order.text() + ")",
                "WRITES/s",
                "BUSY%",
                "SEARCHES/s",
                "BUSY%",
                "DOCS",
                "DISK");
    for (Row row : rows()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  row.name(),
                  Units.number(Math.rint(row.writes())),
                  busy(row.writeMillis()),
                  Units.number(Math.rint(row.searches())),
                  busy(row.searchMillis()),
                  Units.number(row.docs()),
                  Units.size(row.bytes())));
      if (millrace) {
        cells.add(
            row.waiting() < 0 ? "-" : Units.time(row.waiting()) + (row.late() ? " late" : ""));
      }
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  /** The share of one thread's time. */
  private String busy(long millis) {
    return Units.number(Math.rint(rate(millis) / 10));
  }

  private TextTable shards() {
    TextTable table = new TextTable("SHARD", "COPY", "WRITES/s", "SEARCHES/s", "NODE");
    record Copy(String[] cells, double rate) {}
    List<Copy> copies = new ArrayList<>();
    last.shards()
        .path("indices")
        .properties()
        .forEach(index ->
            index
                .getValue()
                .path("shards")
                .properties()
                .forEach(shard ->
                    shard
                        .getValue()
                        .forEach(copy -> {
                          JsonNode then =
                              earlier(
                                  first
                                      .shards()
                                      .path("indices")
                                      .path(index.getKey())
                                      .path("shards")
                                      .path(shard.getKey()),
                                  copy);
                          double writes = rate(grew(copy, then, "indexing.index_total"));
                          double searches = rate(grew(copy, then, "search.query_total"));
                          String node = Json.at(copy, "routing.node").asText("-");
                          copies.add(
                              new Copy(
                                  new String[] {
                                    index.getKey() + " " + shard.getKey(),
                                    Json.at(copy, "routing.primary").asBoolean()
                                        ? "primary"
                                        : "replica",
                                    then.isMissingNode() ? "-" : Units.number(Math.rint(writes)),
                                    then.isMissingNode() ? "-" : Units.number(Math.rint(searches)),
                                    last.nodes().path("nodes").path(node).path("name").asText(node)
                                  },
                                  writes + searches));
                        })));
    copies.sort(Comparator.comparingDouble(Copy::rate).reversed());
    copies.forEach(copy -> table.row(copy.cells()));
    return table;
  }

  private static JsonNode earlier(JsonNode copies, JsonNode like) {
    for (JsonNode copy : copies) {
      if (copy.path("routing").equals(like.path("routing"))) {
        return copy;
      }
    }
    return copies.path("none");
  }

  private TextTable tasks() {
    TextTable table = new TextTable("TASK", "RUNNING", "NODE", "ACTION");
    record Task(String[] cells, long nanos) {}
    List<Task> tasks = new ArrayList<>();
    for (JsonNode node : last.tasks().path("nodes")) {
      for (JsonNode task : node.path("tasks")) {
        long nanos = task.path("running_time_in_nanos").asLong(0);
        if (!task.has("parent_task_id")) {
          String description = task.path("description").asText("").replaceAll("\\s+", " ");
          tasks.add(
              new Task(
                  new String[] {
                    description.isEmpty() ? "-" : description,
                    Units.time(nanos / 1e6),
                    node.path("name").asText("-"),
                    task.path("action").asText("-").replaceFirst("^(indices|cluster):", "")
                  },
                  nanos));
        }
      }
    }
    tasks.sort(Comparator.comparingLong(Task::nanos).reversed());
    tasks.forEach(task -> table.row(task.cells()));
    return table;
  }

  private TextTable threads() {
    TextTable table = new TextTable("THREAD", "CPU%", "NODE");
    record Thread(String name, double cpu, String node) {}
    List<Thread> threads = new ArrayList<>();
    String node = "-";
    for (String line : last.hotThreads().lines().toList()) {
      Matcher head = NODE.matcher(line);
      Matcher thread = THREAD.matcher(line);
      if (head.matches()) {
        node = head.group(1);
      } else if (thread.matches()) {
        threads.add(
            new Thread(
                thread.group(2).replaceFirst("^(opensearch|elasticsearch)\\[[^]]*]", ""),
                Double.parseDouble(thread.group(1)),
                node));
      }
    }
    threads.sort(Comparator.comparingDouble(Thread::cpu).reversed());
    threads.forEach(t -> table.row(t.name(), Units.number(t.cpu()), t.node()));
    return table;
  }

  private String rate(JsonNode now, JsonNode then, String path) {
    return Units.number(Math.rint(rate(grew(now, then, path))));
  }

  /** 0 after a restart, and where there is nothing to compare with. */
  private static long grew(JsonNode now, JsonNode then, String path) {
    return then.isMissingNode() ? 0 : Math.max(0, Json.number(now, path) - Json.number(then, path));
  }

  private double rate(double grown) {
    return seconds <= 0 ? 0 : Math.max(0, grown) / seconds;
  }

  private static String cut(String line, int width) {
    return line.length() > width ? line.substring(0, width) : line;
  }
}
