package io.millrace.bench;

import io.millrace.bench.load.NodeClient;
import io.millrace.bench.report.Report;
import io.millrace.bench.scenario.Goal;
import io.millrace.bench.scenario.Kind;
import io.millrace.bench.scenario.Scenario;
import io.millrace.bench.scenario.Scenarios;
import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code millrace bench}: stock OpenSearch against Millrace in one run on the same data.
 *
 * <p>Exit codes: 0 done (goals met or missed), 1 failed or answers differ, 2 wrong usage.
 */
@Command(
    name = "millrace bench",
    description = "Stock OpenSearch against Millrace in one run on the same data.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {
      BenchMain.ListCommand.class,
      BenchMain.TryCommand.class,
      BenchMain.IngestCommand.class,
      BenchMain.SizeCommand.class,
      BenchMain.SearchCommand.class,
      PeersCommand.class,
      BenchMain.MicroCommand.class,
      BenchMain.ReportCommand.class
    })
public final class BenchMain implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  public static void main(String[] args) {
    System.exit(execute(args));
  }

  /** Runs a command line and returns its exit code. */
  public static int execute(String... args) {
    CommandLine line = new CommandLine(new BenchMain());
    line.setUsageHelpAutoWidth(true);
    CommandLine micro = line.getSubcommands().get("micro");
    if (micro != null) {
      micro.setUnmatchedOptionsArePositionalParams(true);
    }
    line.setExecutionExceptionHandler((e, failed, parsed) -> {
      PrintWriter err = failed.getErr();
      boolean known = e instanceof BenchFailure || e instanceof NodeClient.Refused;
      err.println("error: " + (known ? e.getMessage() : e.toString()));
      if (!known) {
        e.printStackTrace(err);
      }
      err.flush();
      return 1;
    });
    return line.execute(args);
  }

  /** What can be run. */
  @Command(
      name = "list",
      description = "What can be run: scenarios, their sides and goals.",
      mixinStandardHelpOptions = true)
  static final class ListCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
      PrintWriter out = spec.commandLine().getOut();
      for (Scenario scenario : Scenarios.all()) {
        out.printf(
            Locale.ROOT,
            "%s (bench %s, %,d documents)%n  %s%n",
            scenario.name(),
            scenario.kind().name().toLowerCase(Locale.ROOT),
            scenario.defaultDocs(),
            scenario.title());
        scenario
            .sides()
            .forEach(
                side -> out.printf("    side  %s (%s)%n", side.label(), side.contender().title()));
        for (Goal goal : scenario.goals()) {
          out.printf("    goal  %s%n", goal.promise());
        }
      }
      out.flush();
    }
  }

  /** The commands that run scenarios differ in their kind only. */
  abstract static class RunCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    RunOptions options;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    CommandSpec spec;

    @Option(
        names = "--scenario",
        split = ",",
        paramLabel = "NAME",
        description = "which scenarios (default: all of this kind; see 'list')")
    List<String> names = List.of();

    abstract Kind kind();

    @Override
    public Integer call() throws IOException {
      List<Scenario> scenarios =
          names.isEmpty() ? Scenarios.of(kind()) : names.stream().map(Scenarios::named).toList();
      String typed =
          "millrace bench " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
      return new BenchRun(options, scenarios, typed).run();
    }
  }

  /** Which sides can run. */
  @Command(
      name = "try",
      description = "Try every side's settings on both trees without measuring: what can run?",
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class TryCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private RunOptions options;

    @Override
    public Integer call() throws IOException {
      return new BenchRun(options, Scenarios.all(), "millrace bench try").tryOut();
    }
  }

  /** What writing costs. */
  @Command(
      name = "ingest",
      description = "What writing costs: CPU per document from the operating system.",
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class IngestCommand extends RunCommand {
    @Override
    Kind kind() {
      return Kind.INGEST;
    }
  }

  /** What an index weighs. */
  @Command(
      name = "size",
      description = "What an index weighs by file type, and what reading it back costs.",
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class SizeCommand extends RunCommand {
    @Override
    Kind kind() {
      return Kind.SIZE;
    }
  }

  /** What searching costs. */
  @Command(
      name = "search",
      description = "What searching costs, and that both sides find the same.",
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class SearchCommand extends RunCommand {
    @Override
    Kind kind() {
      return Kind.SEARCH;
    }
  }

  /** Makes a report anew. */
  @Command(
      name = "report",
      description = "Make report.html anew from a results.json.",
      mixinStandardHelpOptions = true)
  static final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "a results.json")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      spec.commandLine().getOut().println(Report.again(file));
      return 0;
    }
  }

  /** JMH, where the jar was built with it. */
  @Command(
      name = "micro",
      description = "JMH benchmarks of single classes; everything after it goes to JMH.",
      mixinStandardHelpOptions = true)
  static final class MicroCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "ARG", description = "a pattern and options of JMH")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws Exception {
      try {
        Class.forName("org.openjdk.jmh.Main")
            .getMethod("main", String[].class)
            .invoke(null, (Object) arguments.toArray(String[]::new));
        return 0;
      } catch (ClassNotFoundException e) {
        throw new BenchFailure(
            "this jar was built without JMH; build it with"
                + " 'mvn -q -Pjmh -pl benchmarks -am package -DskipTests'",
            e);
      }
    }
  }
}
