package io.millrace.cli.checkout;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.workspace.Workspace;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code millrace test}: every check of the checkout, {@code mvn verify} with the strict compiler;
 * {@code millrace test NAME...} runs the named tests only, with the modules they need built first.
 * The last line is always {@code N passed, N failed, N skipped}, counted from the reports that this
 * run wrote.
 *
 * <p>In a run of everything a test that fails runs once more. One that then passes is named as
 * unsteady; more of them than {@value #MOST_UNSTEADY} fail the run. Tests that are named run once.
 *
 * <p>A run of everything builds and tests two modules at a time, and two classes of module {@code
 * it}, where there are two processors: a test of nodes waits for much of its time.
 */
@Command(
    name = "test",
    description = "Run all tests and checks of this checkout, or the tests that are named.")
public final class TestCommand implements Callable<Integer> {
  /** A machine that is short of time explains one or two; more are a fault of what is tested. */
  static final int MOST_UNSTEADY = 2;

  private static final List<String> EVERYTHING =
      List.of(
          "verify",
          "-Pstrict",
          "-Dsurefire.rerunFailingTestsCount=1",
          "-Dfailsafe.rerunFailingTestsCount=1");

  /**
   * Of Maven: modules at a time; of module {@code it}: classes at a time. A JVM of tests lives for
   * two minutes: its second compiler would take the processor that the other module needs. Nodes
   * that tests start as processes have both compilers, as they are delivered.
   */
  private static final List<String> SIDE_BY_SIDE =
      List.of("-T2", "-Dmillrace.it.forks=2", "-Dtest.jit=-XX:TieredStopAtLevel=1");

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = {
        "test classes or patterns, each with or without #method: IsoDateTest, '*RoutingNodeTests',"
            + " LauncherIT#upAgainStatusAndDown",
        "What follows -- is handed on to Maven: millrace test -- -pl storage -am"
      })
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    Path checkout = Workspace.locate().checkout();
    if (checkout == null) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "an installed distribution has no tests",
          "Run ./millrace test in a checkout of the sources.");
    }
    List<String> names = new ArrayList<>();
    List<String> forMaven = new ArrayList<>();
    sort(spec.root().commandLine().getParseResult().originalArgs(), words, names, forMaven);
    TestSelection selection = names.isEmpty() ? null : TestSelection.of(checkout, names);
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "--no-transfer-progress"));
    command.addAll(
        selection == null
            ? everything(Runtime.getRuntime().availableProcessors(), forMaven)
            : selection.mavenArguments());
    command.addAll(forMaven);
    long start = System.currentTimeMillis();
    ProcessBuilder maven = new ProcessBuilder(command).inheritIO().directory(checkout.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    int code = maven.start().waitFor();
    return report(code, TestReports.since(checkout, start), selection);
  }

  /** Words before {@code --} are names, those after it are Maven's. */
  static void sort(
      List<String> typed, List<String> words, List<String> names, List<String> forMaven) {
    int dashes = typed.indexOf("--");
    int ofMaven = dashes < 0 ? 0 : typed.size() - dashes - 1;
    names.addAll(words.subList(0, words.size() - ofMaven));
    names.remove("--"); // picocli leaves it in after a name
    forMaven.addAll(words.subList(words.size() - ofMaven, words.size()));
    for (String name : names) {
      if (name.startsWith("-")) {
        throw new ExpectedFailure(
            ExitCode.USAGE,
            name + " is not the name of a test",
            "What Maven is to get stands after --: millrace test " + names.getFirst() + " -- ...");
      }
    }
  }

  /**
   * Maven's arguments for a run of everything; what is typed may name another number of threads.
   */
  static List<String> everything(int processors, List<String> forMaven) {
    List<String> arguments = new ArrayList<>(EVERYTHING);
    if (processors > 1 && forMaven.stream().noneMatch(typed -> typed.startsWith("-T"))) {
      arguments.addAll(SIDE_BY_SIDE);
    }
    return arguments;
  }

  private int report(int code, TestReports reports, @Nullable TestSelection selection) {
    PrintWriter out = spec.commandLine().getOut();
    reports.failures().forEach(f -> out.println("failed: " + f));
    boolean steady = reports.unsteady().size() <= MOST_UNSTEADY;
    reports
        .unsteady()
        .forEach(f -> out.println("unsteady: " + f + " failed, and passed when it ran again"));
    if (!steady) {
      out.println("more than " + MOST_UNSTEADY + " tests are unsteady: that fails the run");
    }
    if (code != 0 && reports.failed() == 0) {
      out.println("the build failed outside of the tests; its [ERROR] lines are above");
    }
    List<String> notRun = selection == null || code != 0 ? List.of() : selection.notRun(reports);
    notRun.forEach(name -> out.println("no test ran that is called \"" + name + "\""));
    out.println(reports.summary());
    return code == 0 && reports.failed() == 0 && steady && notRun.isEmpty()
        ? ExitCode.OK
        : ExitCode.FAILED;
  }
}
