package io.millrace.bench.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.answers.Asker;
import io.millrace.bench.answers.Comparison;
import io.millrace.bench.answers.Query;
import io.millrace.bench.answers.QueryMix;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.load.GeneratedIndex;
import io.millrace.bench.load.NodeClient;
import io.millrace.bench.os.ThreadCpu;
import io.millrace.bench.scenario.Contender;
import io.millrace.bench.scenario.Scenario;
import io.millrace.bench.scenario.Scenarios;
import io.millrace.bench.scenario.Side;
import io.millrace.bench.stats.Series;
import io.millrace.corpus.LogGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What each class of searches costs a stock node and a Millrace node that run side by side, each as
 * it is shipped, with the same generated documents and nothing set by hand. The nodes take turns
 * class by class, so that both are as warm and as disturbed. CPU is that of the node's process,
 * without its compilers. Answers are compared; searches for words find other documents by design,
 * and how many each side finds is printed.
 *
 * <p>Arguments: {@code STOCK_TREE MILLRACE_TREE WORK DOCUMENTS ROUNDS QUERIES [CLASS,..]}: two
 * assembled trees, a folder for the nodes that does not exist yet and is deleted, documents, turns
 * of each node, and about how many searches the mix has. With classes, each class alone is asked,
 * and the instants of its turns are printed, for {@code ProfileMain}.
 */
public final class SearchClassesMain {
  private static final String SCENARIO = "out-of-the-box";
  private static final String INDEX = "logs-classes";
  private static final int STOCK_PORT = 19882;
  private static final int MILLRACE_PORT = 19884;
  private static final String HEAP = "1g";
  private static final long SEED = 7;
  private static final int SAMPLES = 2_000;

  /** Of the CPU of a pass: what the compilers may take when the code counts as warm. */
  private static final double COMPILING = 0.1;

  /** What a pass may cost less than the one before when nothing is to be gained any more. */
  private static final double FALLING = 0.05;

  private static final int STEADY_PASSES = 3;
  private static final int WARM_PASSES = 100;

  /** Searches of all classes that a node answers first: most of its code serves all of them. */
  private static final int WARM_SEARCHES = 6_000;

  /** Milliseconds of CPU of a turn, below which what a node does beside would show. */
  private static final double LEAST_CPU = 400;

  /** One of the two nodes. */
  private record Server(Side side, BenchNode process, NodeClient client) {
    Asker asker() {
      return new Asker(client, INDEX);
    }
  }

  private record Cpu(double queries, double compilers) {}

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final Scenario scenario =
      Scenarios.all().stream().filter(one -> one.name().equals(SCENARIO)).findFirst().orElseThrow();

  private SearchClassesMain() {}

  public static void main(String[] args) throws IOException {
    if (args.length != 6 && args.length != 7) {
      System.err.println(
          "usage: STOCK_TREE MILLRACE_TREE WORK DOCUMENTS ROUNDS QUERIES [CLASS,..]");
      System.exit(2);
    }
    Path work = Path.of(args[2]).toAbsolutePath();
    if (Files.exists(work)) {
      throw new IllegalArgumentException(work + " exists; name a folder that does not");
    }
    SearchClassesMain run = new SearchClassesMain();
    Path stock = Path.of(args[0]).toAbsolutePath();
    Path millrace = Path.of(args[1]).toAbsolutePath();
    Side first = run.side(Contender.STOCK);
    Side second = run.side(Contender.MILLRACE);
    try (BenchNode left =
            new TreeNodes(stock, millrace, HEAP, STOCK_PORT).start(first, work.resolve("stock"));
        NodeClient toLeft = new NodeClient(left.uri());
        BenchNode right =
            new TreeNodes(stock, millrace, HEAP, MILLRACE_PORT)
                .start(second, work.resolve("millrace"));
        NodeClient toRight = new NodeClient(right.uri())) {
      List<Server> servers =
          List.of(new Server(first, left, toLeft), new Server(second, right, toRight));
      int documents = Integer.parseInt(args[3]);
      servers.forEach(server -> run.load(server, documents));
      List<String> only = args.length == 7 ? List.of(args[6].split(",")) : List.of();
      run.measure(servers, Integer.parseInt(args[4]), Integer.parseInt(args[5]), only);
    } finally {
      NodeHomes.delete(work);
    }
  }

  private Side side(Contender contender) {
    return scenario.sides().stream()
        .filter(side -> side.contender() == contender && !side.way().byIngest())
        .findFirst()
        .orElseThrow();
  }

  private void load(Server server, int documents) {
    NodeClient node = server.client;
    Map<String, Object> body = Availability.indexBody(scenario, server.side);
    GeneratedIndex.load(node, INDEX, body, SEED, documents);
    node.post("/" + INDEX + "/_forcemerge?max_num_segments=1");
    node.post("/" + INDEX + "/_refresh");
  }

  private List<Query> mix(int count) {
    LogGenerator generator = new LogGenerator(SEED);
    List<JsonNode> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      samples.add(BenchJson.parse(generator.next()));
    }
    return QueryMix.of(
        scenario.workload().mapping(), scenario.workload().order(), samples, false, count, SEED);
  }

  private void measure(List<Server> servers, int rounds, int count, List<String> only)
      throws IOException {
    Map<String, List<Query>> classes = new LinkedHashMap<>();
    List<Query> all = mix(count);
    for (Server server : servers) {
      for (int asked = 0; asked < WARM_SEARCHES; asked += all.size()) {
        ask(server, all);
      }
    }
    all.forEach(
        query -> classes.computeIfAbsent(query.kind(), kind -> new ArrayList<>()).add(query));
    if (!only.isEmpty()) {
      classes.keySet().retainAll(only);
    }
    out.println(
        "| class | stock, ms | Millrace, ms | ratio | ratios of the rounds | matches | answers |");
    out.println("|---|---|---|---|---|---|---|");
    List<Double> ratios = new ArrayList<>();
    for (Map.Entry<String, List<Query>> one : classes.entrySet()) {
      ratios.add(row(servers, one.getKey(), one.getValue(), rounds, !only.isEmpty()));
    }
    out.printf(
        Locale.ROOT,
        "%d classes, median %.2f x, %d above 1.1 x%n",
        ratios.size(),
        Series.of(ratios).median(),
        ratios.stream().filter(ratio -> ratio > 1.1).count());
  }

  private double row(
      List<Server> servers, String kind, List<Query> queries, int rounds, boolean tellTimes)
      throws IOException {
    for (Server server : servers) {
      warm(server, queries);
    }
    double[] cpu = new double[servers.size()];
    double[] asked = new double[servers.size()];
    StringBuilder each = new StringBuilder();
    for (int round = 0; round < rounds; round++) {
      double[] mean = new double[servers.size()];
      for (int turn = 0; turn < servers.size(); turn++) {
        int at = (turn + round) % servers.size();
        Instant from = Instant.now();
        double spent = 0;
        int passes = 0;
        while (spent < LEAST_CPU) {
          spent += ask(servers.get(at), queries).queries;
          passes++;
        }
        cpu[at] += spent;
        asked[at] += (double) passes * queries.size();
        mean[at] = spent / passes;
        if (tellTimes) {
          out.println(servers.get(at).side.label() + ": " + from + " " + Instant.now());
        }
      }
      each.append(String.format(Locale.ROOT, " %.2f", mean[1] / mean[0]));
    }
    double stock = cpu[0] / asked[0];
    double millrace = cpu[1] / asked[1];
    out.printf(
        Locale.ROOT,
        "| %s | %.3f | %.3f | %.2f |%s | %s | %s |%n",
        kind,
        stock,
        millrace,
        millrace / stock,
        each,
        matches(servers, queries),
        answers(servers, queries));
    return millrace / stock;
  }

  /** Of stock and of Millrace, for one search: words find other documents by design. */
  private static String matches(List<Server> servers, List<Query> queries) {
    double left = servers.getFirst().asker().matches(named(servers.getFirst(), queries));
    double right = servers.getLast().asker().matches(named(servers.getLast(), queries));
    return String.format(Locale.ROOT, "%.0f, %.0f", left, right);
  }

  private String answers(List<Server> servers, List<Query> queries) {
    Server left = servers.getFirst();
    Server right = servers.getLast();
    Comparison found =
        Comparison.of(
            queries,
            right.side,
            right.asker().answers(named(right, queries), queries.size(), false),
            left.side,
            left.asker().answers(named(left, queries), queries.size(), false));
    return found.different() + " of " + found.compared() + " differ";
  }

  private static List<Query> named(Server server, List<Query> queries) {
    return queries.stream().map(query -> query.named(server.side.way().names())).toList();
  }

  private void warm(Server server, List<Query> queries) throws IOException {
    double last = Double.MAX_VALUE;
    int steady = 0;
    for (int pass = 0; pass < WARM_PASSES && steady < STEADY_PASSES; pass++) {
      Cpu took = ask(server, queries);
      boolean warm =
          took.compilers < COMPILING * (took.queries + took.compilers)
              && took.queries > (1 - FALLING) * last;
      steady = warm ? steady + 1 : 0;
      last = took.queries;
    }
  }

  /** Milliseconds of CPU of all searches, once each. */
  private static Cpu ask(Server server, List<Query> queries) throws IOException {
    Asker asker = server.asker();
    List<Query> named = named(server, queries);
    ThreadCpu before = ThreadCpu.of(server.process.pid());
    named.forEach(asker::timed);
    ThreadCpu now = ThreadCpu.of(server.process.pid());
    return new Cpu(now.nanosSince(before) / 1e6, now.compilerNanosSince(before) / 1e6);
  }
}
