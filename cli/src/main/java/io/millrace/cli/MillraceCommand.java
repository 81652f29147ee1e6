package io.millrace.cli;

import io.millrace.cli.access.KeyCommand;
import io.millrace.cli.access.RoleCommand;
import io.millrace.cli.access.UserCommand;
import io.millrace.cli.checkout.BenchCommand;
import io.millrace.cli.checkout.TestCommand;
import io.millrace.cli.demo.DemoCommand;
import io.millrace.cli.expert.DoctorCommand;
import io.millrace.cli.expert.GcCommand;
import io.millrace.cli.expert.TopCommand;
import io.millrace.cli.expert.TuneCommand;
import io.millrace.cli.export.ExportCommand;
import io.millrace.cli.ingest.IngestCommand;
import io.millrace.cli.kafka.PipelineCommand;
import io.millrace.cli.nodes.CertificatesCommand;
import io.millrace.cli.nodes.DownCommand;
import io.millrace.cli.nodes.KeystoreCommand;
import io.millrace.cli.nodes.LogsCommand;
import io.millrace.cli.nodes.OperatorCommand;
import io.millrace.cli.nodes.StatusCommand;
import io.millrace.cli.nodes.SuperviseCommand;
import io.millrace.cli.nodes.UpCommand;
import io.millrace.cli.rolling.RollingRestartCommand;
import io.millrace.cli.terminal.Terminal;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The root command: lists its subcommands, owns {@code --verbose}, and turns failures into one
 * clear line and an exit code.
 *
 * <p>A subcommand is a class with {@link Command} in {@link #subcommands}; it implements {@code
 * Callable<Integer>}, prints to {@code spec.commandLine().getOut()} and throws {@link
 * ExpectedFailure} for everything a user can cause.
 */
@Command(
    name = "millrace",
    description = "Millrace: a log-scale kernel for OpenSearch.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = false,
    subcommands = {
      UpCommand.class,
      DownCommand.class,
      StatusCommand.class,
      LogsCommand.class,
      RollingRestartCommand.class,
      IngestCommand.class,
      ExportCommand.class,
      PipelineCommand.class,
      DemoCommand.class,
      DoctorCommand.class,
      GcCommand.class,
      TuneCommand.class,
      TopCommand.class,
      KeystoreCommand.class,
      CertificatesCommand.class,
      OperatorCommand.class,
      UserCommand.class,
      RoleCommand.class,
      KeyCommand.class,
      TestCommand.class,
      BenchCommand.class,
      VersionCommand.class,
      SuperviseCommand.class,
      CommandLine.HelpCommand.class,
      AutoComplete.GenerateCompletion.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:tried and failed",
      "2:wrong usage",
      "3:nothing is running",
      "4:the machine lacks something (JDK, Maven, port, memory, permission)",
      "130:interrupted"
    })
public final class MillraceCommand implements Runnable {
  private static final Set<String> WRAPPERS = Set.of("keystore", "bench", "test");

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = {"-v", Terminal.VERBOSE},
      scope = ScopeType.INHERIT,
      description = "show details: decisions taken, stack traces of failures")
  @SuppressWarnings("UnusedVariable") // Terminal reads it for every command
  private boolean verbose;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** A parser for the whole command tree with the house's error handling; exits nothing. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new MillraceCommand());
    helpOption(line);
    // what follows keystore's and bench's first word is not ours to parse
    line.getSubcommands().forEach((name, sub) -> sub.setStopAtPositional(WRAPPERS.contains(name)));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler(MillraceCommand::wrongUsage);
    line.setExecutionExceptionHandler(MillraceCommand::failed);
    return line;
  }

  /** {@code --help} on every command that does not bring its own (picocli's help command does). */
  private static void helpOption(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    if (spec.findOption("-h") == null) {
      spec.addOption(
          OptionSpec.builder("-h", "--help")
              .usageHelp(true)
              .description("show this help and exit")
              .build());
    }
    line.getSubcommands().values().forEach(MillraceCommand::helpOption);
  }

  private static int wrongUsage(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    err.println("error: " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return ExitCode.USAGE;
  }

  private static int failed(Exception thrown, CommandLine line, ParseResult parsed) {
    Exception e = thrown instanceof IOException io ? FileFailure.of(io) : thrown;
    PrintWriter err = line.getErr();
    boolean verbose = new Terminal(line.getCommandSpec()).verbose();
    int code = ExitCode.FAILED;
    if (e instanceof ExpectedFailure failure) {
      code = failure.exitCode();
      err.println("error: " + failure.getMessage());
      if (failure.remedy() != null) {
        err.println("  " + failure.remedy());
      }
    } else {
      String message = e.getMessage();
      err.println(
          "error: " + e.getClass().getSimpleName() + (message == null ? "" : ": " + message));
      if (!verbose) {
        err.println("  Run it again with --verbose for the details.");
      }
    }
    if (verbose) {
      thrown.printStackTrace(err);
    }
    err.flush();
    return code;
  }

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }
}
