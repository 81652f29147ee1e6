package io.millrace.bench.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.load.GeneratedIndex;
import io.millrace.bench.load.NodeClient;
import io.millrace.bench.load.NodeCpu;
import io.millrace.bench.os.ThreadCpu;
import io.millrace.bench.stats.Series;
import io.millrace.corpus.Mappings;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What the query features cost on one node: each search is asked in two or more ways by turns, over
 * the same segments, in random windows of time of which none comes twice. CPU is that of the node's
 * process on this machine, without its compilers, the median of the rounds; answers that must be
 * equal are compared.
 *
 * <p>Arguments: {@code URL INDEX TERM_FIELD NUMBER_FIELD ROUNDS BATCH [DOCUMENTS]}: a Millrace
 * node, an index with {@code @timestamp}, a keyword and a number of it, how often each way has its
 * turn, and how many searches a turn has. With a number of documents the index is made first:
 * generated lines, 20 ms apart, under the profile {@code logs}; and beside it {@code INDEX-asc},
 * {@code INDEX-desc} and {@code INDEX-deleted} with a quarter of the lines, sorted by time up and
 * down, and with a tenth of the documents deleted. {@code -Dmillrace.twin.searches=newest} asks
 * only those whose names contain it.
 */
public final class TwinSearchMain {
  private static final String TIME = PruningSearches.TIME;
  private static final int WARM_ROUNDS = 3;
  private static final String ONLY = System.getProperty("millrace.twin.searches", "");
  private static final String PRUNING = "millrace.search.time_pruning.enabled";
  private static final String PRUNING_RANGES = "millrace.search.time_pruning.ranges";

  private final NodeClient node;
  private final String base;
  private final String term;
  private final String number;
  private final int rounds;
  private final int batch;
  private final SplittableRandom random = new SplittableRandom(20261122);
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final NodeCpu cpu;
  private long first;
  private long last;
  private String index;
  private PruningSearches searches = new PruningSearches("", List.of(), List.of());

  private TwinSearchMain(NodeClient node, String[] args) {
    this.node = node;
    this.cpu = NodeCpu.of(node);
    this.base = args[1];
    this.index = base;
    this.term = args[2];
    this.number = args[3];
    this.rounds = Integer.parseInt(args[4]);
    this.batch = Integer.parseInt(args[5]);
  }

  public static void main(String[] args) {
    if (args.length != 6 && args.length != 7) {
      System.err.println("usage: URL INDEX TERM_FIELD NUMBER_FIELD ROUNDS BATCH [DOCUMENTS]");
      System.exit(2);
    }
    try (NodeClient node = new NodeClient(URI.create(args[0]))) {
      TwinSearchMain twins = new TwinSearchMain(node, args);
      if (args.length == 7) {
        int documents = Integer.parseInt(args[6]);
        twins.load("", documents, Map.of());
        twins.load("-asc", documents / 4, sorted("asc"));
        twins.load("-desc", documents / 4, sorted("desc"));
        twins.load("-deleted", documents / 4, Map.of());
        twins.delete("-deleted");
      }
      twins.run();
    }
  }

  private static Map<String, Object> sorted(String order) {
    return Map.of("index.sort.field", TIME, "index.sort.order", order);
  }

  private void load(String suffix, int documents, Map<String, Object> more) {
    index = base + suffix;
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("index.millrace.profile", "logs");
    settings.put("number_of_shards", 1);
    settings.put("number_of_replicas", 0);
    JsonNode mappings =
        BenchJson.parse(Mappings.LOGS.body().getBytes(StandardCharsets.UTF_8)).path("mappings");
    GeneratedIndex.load(
        node, index, Map.of("settings", settings, "mappings", mappings), 7, documents);
    out.println(
        documents
            + " documents, segments: "
            + node.get("/_cat/segments/" + index + "?h=docs.count&format=json"));
  }

  /** A tenth of the documents, all over the index. */
  private void delete(String suffix) {
    index = base + suffix;
    JsonNode deleted =
        node.post(
            "/" + index + "/_delete_by_query?refresh=true&conflicts=proceed",
            Map.of("query", Map.of("range", Map.of("pid", Map.of("lt", tenth())))));
    out.println(index + ": " + deleted.path("deleted") + " documents deleted");
  }

  /** A tenth of the documents have a smaller process id. */
  private double tenth() {
    return node.post(
            "/" + index + "/_search",
            Map.of(
                "size",
                0,
                "aggs",
                Map.of(
                    "p", Map.of("percentiles", Map.of("field", "pid", "percents", List.of(10))))))
        .path("aggregations")
        .path("p")
        .path("values")
        .path("10.0")
        .asDouble();
  }

  /** What the answers of a way are held against: those of the first way. */
  private enum Check {
    NOTHING,
    EQUAL,
    ESTIMATE
  }

  /**
   * One way to ask.
   *
   * @param pruning whether time pruning is on
   */
  private record Way(
      String name, boolean pruning, String path, Check check, PruningSearches.Body body) {}

  private record Window(long from, long to) {}

  private void run() {
    look(base);
    plans(searches.all());
    scans();
    compare("histogram and terms with an average", 100, aggregations());
    compare("10,000 rows of three fields", 50, rows());
    for (String suffix : new String[] {"-asc", "-desc", "-deleted"}) {
      if (node.send("HEAD", "/" + base + suffix, null, "application/json").status() == 200) {
        look(base + suffix);
        plans(suffix.equals("-deleted") ? searches.all() : searches.ofSorted());
      }
    }
    if (index.equals(base + "-deleted")) {
      index = base;
      compare("composite by time, a page", 50, sortedComposite());
    }
  }

  private void prune(boolean on) {
    String value = Boolean.toString(on);
    node.clusterSettings(Map.of(PRUNING, value, PRUNING_RANGES, value));
  }

  private String search() {
    return path(index);
  }

  private static String path(String index) {
    return "/" + index + "/_search?request_cache=false";
  }

  /** What stock reads off the boundaries of a range, beside a look at each document. */
  private void scans() {
    for (PruningSearches.Scan scan : PruningSearches.scans()) {
      compare(
          scan.what(),
          50,
          List.of(
              new Way("each document", false, search(), Check.EQUAL, scan.eachDocument()),
              new Way("by boundaries", false, search(), Check.EQUAL, scan.byBoundaries())));
    }
  }

  /**
   * Stock's jump to the page, where the index is sorted the other way, and where it is sorted so.
   */
  private List<Way> sortedComposite() {
    PruningSearches.Body page = searches::compositePage;
    return List.of(
        new Way("sorted up", false, path(base + "-asc"), Check.EQUAL, page),
        new Way("sorted as the page", false, path(base + "-desc"), Check.EQUAL, page));
  }

  private void plans(List<PruningSearches.Case> cases) {
    String path = search();
    for (PruningSearches.Case one : cases) {
      compare(
          one.what(),
          one.percent(),
          List.of(
              new Way("off", false, path, Check.EQUAL, one.body()),
              new Way("on", true, path, Check.EQUAL, one.body())));
    }
  }

  /** Learns the times and terms of an index. */
  private void look(String name) {
    index = name;
    out.println(index + ":");
    JsonNode bounds =
        node.post(
                "/" + index + "/_search",
                Map.of(
                    "size",
                    0,
                    "aggs",
                    Map.of(
                        "first", Map.of("min", Map.of("field", TIME)),
                        "last", Map.of("max", Map.of("field", TIME)),
                        "terms", Map.of("terms", Map.of("field", term)))))
            .path("aggregations");
    first = bounds.path("first").path("value").asLong();
    last = bounds.path("last").path("value").asLong();
    List<Object> found = new ArrayList<>();
    bounds.path("terms").path("buckets").forEach(each -> found.add(each.path("key").asText()));
    searches = new PruningSearches(term, found, traces());
  }

  /** Ids of a few documents. */
  private List<Object> traces() {
    List<Object> found = new ArrayList<>();
    node.post("/" + index + "/_search", Map.of("size", 50))
        .path("hits")
        .path("hits")
        .findValues("trace_id")
        .forEach(id -> found.add(id.asText()));
    return found;
  }

  private List<Way> aggregations() {
    String path = search();
    Map<String, Object> inner =
        Map.of(
            "h",
            Map.of(
                "date_histogram",
                Map.of("field", TIME, "fixed_interval", "10m"),
                "aggs",
                Map.of("t", Map.of("terms", Map.of("field", term)))),
            "a",
            Map.of("avg", Map.of("field", number)));
    List<Way> ways = new ArrayList<>();
    ways.add(new Way("exact", true, path, Check.ESTIMATE, (from, to) -> sized(from, to, inner)));
    for (double probability : new double[] {0.1, 0.01}) {
      ways.add(
          new Way(
              "sampled at " + probability,
              true,
              path,
              Check.ESTIMATE,
              (from, to) -> sized(from, to, sampled(probability, from, inner))));
    }
    long later = PruningSearches.YEAR; // no documents: what a request costs without them
    ways.add(
        new Way(
            "exact, of nothing",
            true,
            path,
            Check.NOTHING,
            (from, to) -> sized(from + later, to + later, inner)));
    return ways;
  }

  private static Map<String, Object> sampled(
      double probability, long seed, Map<String, Object> inner) {
    return Map.of(
        "s",
        Map.of(
            "block_sampler",
            Map.of("probability", probability, "seed", seed, "min_docs", 1000),
            "aggs",
            inner));
  }

  private static Map<String, Object> sized(long from, long to, Map<String, Object> aggs) {
    return Map.of(
        "size",
        0,
        "track_total_hits",
        false,
        "query",
        PruningSearches.range(from, to),
        "aggs",
        aggs);
  }

  private List<Way> rows() {
    return RowSearches.of(index, List.of(TIME, term, number)).stream()
        .map(each -> new Way(each.name(), true, each.path(), Check.NOTHING, each.body()))
        .toList();
  }

  private List<Window> windows(double percent) {
    List<Window> windows = new ArrayList<>();
    long length = Math.max(1, (long) ((last - first) * percent / 100));
    for (int i = 0; i < batch; i++) {
      long from = first - random.nextLong(1000) + random.nextLong(last - first - length + 1000);
      windows.add(new Window(from, from + length));
    }
    return windows;
  }

  private void compare(String what, double percent, List<Way> ways) {
    if (!what.contains(ONLY)) {
      return;
    }
    List<List<Double>> took = new ArrayList<>();
    ways.forEach(way -> took.add(new ArrayList<>()));
    long[] bytes = new long[ways.size()];
    List<SampleErrors> errors = new ArrayList<>();
    ways.forEach(way -> errors.add(new SampleErrors()));
    int different = 0;
    for (int round = -WARM_ROUNDS; round < rounds; round++) {
      List<Window> windows = windows(percent);
      List<List<JsonNode>> answers = new ArrayList<>();
      ways.forEach(way -> answers.add(new ArrayList<>()));
      for (int turn = 0; turn < ways.size(); turn++) {
        int at = Math.floorMod(turn + round, ways.size());
        Way way = ways.get(at);
        prune(way.pruning);
        ThreadCpu before = cpu.now();
        for (Window window : windows) {
          byte[] body = ask(way, window);
          bytes[at] += round < 0 ? 0 : body.length;
          if (way.check != Check.NOTHING) {
            answers.get(at).add(BenchJson.parse(body));
          }
        }
        if (round >= 0) { // those before warm up
          took.get(at).add(cpu.now().nanosSince(before) / 1e6 / batch);
        }
      }
      for (int at = 1; at < ways.size(); at++) {
        different += check(windows, answers.get(0), answers.get(at), ways.get(at), errors.get(at));
      }
    }
    out.printf(
        Locale.ROOT,
        "%s, windows of %s %%%s%n",
        what,
        percent,
        different == 0 ? "" : ": ANSWERS DIFFER in " + different + " rounds");
    double searches = (double) rounds * batch;
    for (int i = 0; i < ways.size(); i++) {
      out.printf(
          Locale.ROOT,
          "  %-20s %9.3f ms of CPU, %6.2f x, %9.0f bytes%s%n",
          ways.get(i).name,
          Series.of(took.get(i)).median(),
          Series.of(quotients(took.get(0), took.get(i))).median(),
          bytes[i] / searches,
          errors.get(i));
    }
    prune(true);
  }

  private static List<Double> quotients(List<Double> first, List<Double> other) {
    List<Double> each = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      each.add(first.get(i) / Math.max(other.get(i), 1e-6));
    }
    return each;
  }

  /** Returns 1 if a way that must be equal to the first is not. */
  private int check(
      List<Window> windows,
      List<JsonNode> expected,
      List<JsonNode> found,
      Way way,
      SampleErrors errors) {
    switch (way.check) {
      case EQUAL:
        List<String> first = canonical(expected);
        List<String> other = canonical(found);
        if (!first.equals(other)) {
          tellDifferences(windows, first, other, way);
          return 1;
        }
        return 0;
      case ESTIMATE:
        for (int i = 0; i < expected.size(); i++) {
          errors.add(expected.get(i), found.get(i).path("aggregations").path("s"));
        }
        return 0;
      default:
        return 0;
    }
  }

  private static List<String> canonical(List<JsonNode> answers) {
    return answers.stream().map(one -> ComparableAnswer.canonical(one, true, false)).toList();
  }

  private void tellDifferences(
      List<Window> windows, List<String> expected, List<String> found, Way way) {
    for (int i = 0; i < windows.size(); i++) {
      if (!expected.get(i).equals(found.get(i))) {
        out.println(
            windows.get(i) + ": " + found.get(i) + " " + way.name + ", not " + expected.get(i));
      }
    }
  }

  private byte[] ask(Way way, Window window) {
    NodeClient.Answer answer =
        node.send(
            "POST",
            way.path,
            BenchJson.bytes(way.body.of(window.from, window.to)),
            "application/json");
    if (answer.status() != 200) {
      throw new IllegalStateException(new String(answer.body(), StandardCharsets.UTF_8));
    }
    return answer.body();
  }
}
