package io.millrace.cli;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.workspace.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code millrace test}: every check of the checkout, {@code mvn verify} with the strict compiler.
 * The last line is always {@code N passed, N failed, N skipped}, counted from the reports that this
 * run wrote.
 */
@Command(name = "test", description = "Run all tests and checks of this checkout.")
final class TestCommand extends NodeCommand {
  @Parameters(
      paramLabel = "ARG",
      arity = "0..*",
      description = "handed on to Maven after --, such as: millrace test -- -pl storage -am")
  private List<String> args = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    Path checkout = Workspace.locate().checkout();
    if (checkout == null) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "an installed distribution has no tests",
          "Run ./millrace test in a checkout of the sources.");
    }
    List<String> command =
        new ArrayList<>(List.of("mvn", "-B", "--no-transfer-progress", "verify", "-Pstrict"));
    command.addAll(args);
    long start = System.currentTimeMillis();
    ProcessBuilder maven = new ProcessBuilder(command).inheritIO().directory(checkout.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    int code = maven.start().waitFor();
    TestReports reports = TestReports.since(checkout, start);
    reports.failures().forEach(f -> out().println("failed: " + f));
    if (code != 0 && reports.failed() == 0) {
      out().println("the build failed outside of the tests; its [ERROR] lines are above");
    }
    out().println(reports.summary());
    return code == 0 && reports.failed() == 0 ? ExitCode.OK : ExitCode.FAILED;
  }
}
