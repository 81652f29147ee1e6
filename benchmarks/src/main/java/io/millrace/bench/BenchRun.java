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
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    Path folder = folder();
    Path work = options.work != null ? options.work : folder.resolve("work");
    Files.createDirectories(work);
    Options run = options(work.toAbsolutePath());
    Map<String, String> machine = Machine.describe(work);
    Path stock = tree(options.stockTree, "stock-");
    Path millrace = tree(options.millraceTree, "millrace-");
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
    Path work = Files.createDirectories(folder().resolve("work"));
    Nodes nodes =
        new TreeNodes(
            tree(options.stockTree, "stock-"),
            tree(options.millraceTree, "millrace-"),
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
    atLeast("--rounds", options.rounds, 1);
    atLeast("--workers", options.workers, 1);
    atLeast("--bulk", options.bulk, 1);
    atLeast("--docs", options.docs, 0);
    atLeast("--warm-up", options.warmUp, 0);
    atLeast("--queries", options.queries, 1);
    atLeast("--passes", options.passes, 1);
    if (!options.heap.matches("[1-9][0-9]*[mMgG]")) {
      throw new BenchFailure("--heap: '" + options.heap + "' is not a size; write 512m or 2g");
    }
    if (options.corpus != null && !Files.isDirectory(options.corpus)) {
      throw new BenchFailure(
          "--corpus: " + options.corpus + " is no folder; name one that holds *.log files");
    }
  }

  private static void atLeast(String option, long value, long least) {
    if (value < least) {
      throw new BenchFailure(option + ": " + value + " is too small; it must be at least " + least);
    }
  }

  private Path folder() throws IOException {
    Path folder = options.out;
    if (folder == null) {
      String time =
          LocalDateTime.now(ZoneOffset.UTC)
              .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
      folder = root.resolve(".millrace/bench").resolve(time);
    }
    return Files.createDirectories(folder).toAbsolutePath();
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

  private Path tree(@Nullable Path named, String prefix) throws IOException {
    if (named != null) {
      return named.toAbsolutePath();
    }
    Path target = root.resolve("distribution/target");
    if (Files.isDirectory(target)) {
      try (Stream<Path> list = Files.list(target)) {
        return list.filter(path -> path.getFileName().toString().startsWith(prefix))
            .filter(Files::isDirectory)
            .sorted()
            .reduce((first, second) -> second)
            .orElse(target.resolve(prefix));
      }
    }
    return target.resolve(prefix);
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
