package io.millrace.bench;

import io.millrace.bench.os.Machine;
import io.millrace.bench.report.BenchSummary;
import io.millrace.bench.report.Report;
import io.millrace.bench.run.Availability;
import io.millrace.bench.run.BenchResult;
import io.millrace.bench.run.BenchResult.ScenarioResult;
import io.millrace.bench.run.Nodes;
import io.millrace.bench.run.Options;
import io.millrace.bench.run.RunProgress;
import io.millrace.bench.run.ScenarioRun;
import io.millrace.bench.run.TreeNodes;
import io.millrace.bench.scenario.Scenario;
import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One run: the scenarios one after another, then the report. */
final class BenchRun {
  private final RunOptions options;
  private final List<Scenario> scenarios;
  private final String typed;
  private final Path root = Checkout.root();
  private final PrintStream out = System.out;

  BenchRun(RunOptions options, List<Scenario> scenarios, String typed) {
    this.options = options;
    this.scenarios = scenarios;
    this.typed = typed;
  }

  /** Runs and reports; 0, or 1 when answers differ, documents are missing or nothing could run. */
  int run() throws IOException {
    check();
    long start = System.nanoTime();
    Path folder = Checkout.report(root, options.out);
    Path work = options.work != null ? options.work : folder.resolve("work");
    Files.createDirectories(work);
    Options run = options(work.toAbsolutePath());
    Map<String, String> machine = Machine.describe(work);
    Path stock = Checkout.tree(root, options.stockTree, "stock-");
    Path millrace = Checkout.tree(root, options.millraceTree, "millrace-");
    Nodes nodes = new TreeNodes(stock, millrace, options.heap, options.port);
    RunProgress progress = new TerminalProgress(out, TerminalProgress.isTerminal());
    out.println(
        "load average before: "
            + machine.get("load average before")
            + " (CPU figures of a busy machine are comparable within this run only)");
    List<ScenarioResult> results = new ArrayList<>();
    BenchResult result = null;
    for (Scenario scenario : scenarios) {
      results.add(new ScenarioRun(scenario, run, nodes, progress).run());
      long seconds = (System.nanoTime() - start) / 1_000_000_000L;
      // written after every scenario: a long run that is cut leaves what it found
      result =
          new BenchResult(
              "Stock against Millrace",
              machine,
              Checkout.revision(root),
              typed,
              parameters(run),
              List.copyOf(results),
              seconds);
      Report.write(result, folder);
    }
    if (result == null) {
      throw new BenchFailure("nothing to run");
    }
    out.println(BenchSummary.of(result));
    out.println("report: " + folder.resolve("report.html"));
    boolean sound = results.stream().allMatch(one -> one.problems().isEmpty());
    boolean any =
        results.stream()
            .flatMap(one -> one.sides().stream())
            .anyMatch(side -> !side.figures().isEmpty());
    return sound && any ? 0 : 1;
  }

  /**
   * Tries the settings of every side on a node of its tree, without measuring; 0 if all can run.
   */
  int tryOut() throws IOException {
    check();
    Path work = Files.createDirectories(Checkout.report(root, options.out).resolve("work"));
    Nodes nodes =
        new TreeNodes(
            Checkout.tree(root, options.stockTree, "stock-"),
            Checkout.tree(root, options.millraceTree, "millrace-"),
            options.heap,
            options.port);
    Map<String, String> found = new Availability(nodes).check(scenarios, work);
    found.forEach((side, reason) ->
        out.println(
            (reason.isEmpty() ? "ok   " : "no   ")
                + side
                + (reason.isEmpty() ? "" : ": " + reason)));
    return found.values().stream().allMatch(String::isEmpty) ? 0 : 1;
  }

  private void check() {
    Checks.atLeast("--rounds", options.rounds, 1);
    Checks.atLeast("--workers", options.workers, 1);
    Checks.atLeast("--bulk", options.bulk, 1);
    Checks.atLeast("--docs", options.docs, 0);
    Checks.atLeast("--warm-up", options.warmUp, 0);
    Checks.atLeast("--queries", options.queries, 1);
    Checks.atLeast("--passes", options.passes, 1);
    Checks.heap(options.heap);
    if (options.corpus != null && !Files.isDirectory(options.corpus)) {
      throw new BenchFailure(
          "--corpus: " + options.corpus + " is no folder; name one that holds *.log files");
    }
  }

  private Options options(Path work) {
    return new Options(
        options.docs,
        options.warmUp,
        options.rounds,
        options.heap,
        options.workers,
        options.bulk,
        options.queries,
        options.passes,
        options.seed,
        !options.noRaw,
        options.corpus,
        work);
  }

  private static Map<String, String> parameters(Options run) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("heap of the nodes", run.heap());
    all.put("concurrent bulks", Integer.toString(run.workers()));
    all.put("documents per bulk", Integer.toString(run.bulkSize()));
    all.put("warm-up documents", Long.toString(run.warmUp()));
    all.put("rounds", Integer.toString(run.rounds()));
    all.put("query mix", run.queries() + " queries, " + run.passes() + " passes where timed");
    all.put("seed", Long.toString(run.seed()));
    all.put("documents from", run.corpus() == null ? "the generator" : "real lines (--corpus)");
    return all;
  }
}
