package io.millrace.cli.expert;

import io.millrace.cli.terminal.Terminal;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.tune.PlanText;
import io.millrace.doctor.tune.Planner;
import io.millrace.doctor.tune.Step;
import io.millrace.doctor.tune.TuneJournal;
import io.millrace.doctor.tune.TunePlan;
import io.millrace.doctor.tune.Tuner;
import io.millrace.doctor.tune.Use;
import java.io.Console;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code millrace tune}: shows what suits logs, traces or search, and sets it when asked to. */
@Command(
    name = "tune",
    description =
        "Show which settings of indices and templates suit logs, traces or search, and with --apply set them.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:shown, applied or undone",
      "1:the server refused a step, or something could not be undone",
      "2:wrong usage; nobody agreed",
      "3:nothing listens at URL",
      "4:the journal cannot be written",
      "5:the journal cannot be read",
      "6:the cluster cannot be used: another service, no permission, it died meanwhile",
      "130:interrupted"
    })
public final class TuneCommand implements Callable<Integer> {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @picocli.CommandLine.Mixin private final ClusterArguments cluster = new ClusterArguments();

  @Option(names = "--profile", description = "what the indices are for: ${COMPLETION-CANDIDATES}")
  private @Nullable Use profile;

  @Option(
      names = "--index",
      paramLabel = "PATTERN",
      split = ",",
      description =
          "these indices, with * (default: those whose name says that they hold logs or traces)")
  private List<String> patterns = new ArrayList<>();

  @Option(names = "--apply", description = "set what is shown, after a question")
  private boolean apply;

  @Option(
      names = "--without-closing",
      description = "leave out settings for which an index has to be closed and opened again")
  private boolean withoutClosing;

  @Option(names = "--yes", description = "ask nothing; for scripts")
  private boolean yes;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description = "where --apply writes what it does (default: millrace-tune-TIME.jsonl)")
  private @Nullable Path journal;

  @Option(names = "--resume", paramLabel = "FILE", description = "go on with a journal")
  private @Nullable Path resume;

  @Option(names = "--undo", paramLabel = "FILE", description = "take back what a journal says")
  private @Nullable Path undo;

  @Override
  public Integer call() throws InterruptedException {
    Terminal terminal = new Terminal(spec);
    int ways = (undo == null ? 0 : 1) + (resume == null ? 0 : 1) + (profile == null ? 0 : 1);
    if (ways != 1) {
      throw new ParameterException(
          spec.commandLine(), "give one of --profile logs|traces|search, --resume and --undo");
    }
    try (ClusterClient client = new ClusterClient(cluster.options())) {
      if (undo != null) {
        return undo(client, undo, terminal);
      }
      if (resume != null) {
        return resume(client, resume, terminal);
      }
      return tune(client, java.util.Objects.requireNonNull(profile), terminal);
    }
  }

  private int tune(ClusterClient client, Use use, Terminal terminal) throws InterruptedException {
    ProgressLine line = new ProgressLine(terminal.err());
    TunePlan plan;
    try {
      plan =
          Planner.plan(
              new Collector(client, Limits.DEFAULT, line::show).collect(Planner.READS),
              use,
              patterns,
              !withoutClosing,
              path -> Tuner.get(client, path));
    } finally {
      line.clear();
    }
    terminal.out().print(PlanText.of(plan, NodeAddress.shown(cluster.url())));
    terminal.out().flush();
    if (plan.steps().isEmpty()) {
      return ExitCode.OK;
    }
    if (!apply) {
      terminal.out().println("\nNothing was changed. --apply sets it.");
      return ExitCode.OK;
    }
    agreed(plan.steps().size() + " steps. Set all of this?");
    if (!plan.closings().isEmpty()) {
      agreed(
          String.join(", ", plan.closings())
              + " will be closed for some seconds each: no writes, no searches."
              + " Do it? (--without-closing leaves it out)");
    }
    Path file =
        journal == null
            ? Path.of("millrace-tune-" + LocalDateTime.now().format(STAMP) + ".jsonl")
            : journal;
    try (TuneJournal fresh = TuneJournal.create(file, plan)) {
      return carryOut(client, fresh, terminal);
    }
  }

  private int resume(ClusterClient client, Path file, Terminal terminal) {
    try (TuneJournal going = TuneJournal.open(file)) {
      List<Step> left = going.left();
      if (left.isEmpty()) {
        terminal.out().println(file + ": nothing is left to do; --undo takes it back");
        return ExitCode.OK;
      }
      agreed(
          left.size()
              + " of "
              + going.steps().size()
              + " steps are left. Set them?"
              + (left.stream().anyMatch(step -> step.kind() == Step.Kind.CLOSED_INDEX)
                  ? " Indices will be closed for some seconds each."
                  : ""));
      return carryOut(client, going, terminal);
    }
  }

  private static int carryOut(ClusterClient client, TuneJournal journal, Terminal terminal) {
    new Tuner(client, journal, text -> say(terminal, text)).apply();
    terminal.out().println("done; --undo " + journal.file() + " takes it back");
    return ExitCode.OK;
  }

  private int undo(ClusterClient client, Path file, Terminal terminal) {
    try (TuneJournal old = TuneJournal.open(file)) {
      if (!old.open()) {
        terminal.out().println(file + ": nothing is left to undo");
        return ExitCode.OK;
      }
      agreed("Take back what " + file + " says? Its closed steps close indices again.");
      List<String> notes = new Tuner(client, old, text -> say(terminal, text)).undo();
      notes.forEach(terminal::note);
      terminal
          .out()
          .println(
              notes.isEmpty()
                  ? "undone: settings and templates are as they were"
                  : "undone, but for what is noted");
      return notes.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private static void say(Terminal terminal, String text) {
    terminal.out().println(text);
    terminal.out().flush();
  }

  /**
   * @throws ExpectedFailure when the answer is not yes, or nobody can be asked
   */
  private void agreed(String question) {
    if (yes) {
      return;
    }
    Console console = System.console();
    String answer = console == null ? null : console.readLine("%n%s [y/N] ", question);
    if (answer == null || !answer.strip().matches("(?i)y|yes")) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          answer == null ? "nobody can be asked: " + question : "nothing was changed",
          answer == null ? "In a script, --yes agrees." : null);
    }
  }
}
