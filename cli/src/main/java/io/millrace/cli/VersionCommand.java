package io.millrace.cli;

import io.millrace.cli.terminal.Version;
import io.millrace.client.failure.ExitCode;
import io.millrace.launcher.workspace.Workspace;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace version}: what to quote in a bug report. */
@Command(name = "version", description = "Show the versions of Millrace, OpenSearch and Java.")
final class VersionCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Path tree = Workspace.locate().source();
    PrintWriter out = spec.commandLine().getOut();
    out.println("Millrace   " + Version.ofMillrace());
    out.println("OpenSearch " + openSearch(tree));
    out.println("Java       " + Runtime.version() + " (" + System.getProperty("java.home") + ")");
    out.println("Tree       " + tree);
    return ExitCode.OK;
  }

  private static String openSearch(Path tree) {
    String[] jars =
        tree.resolve("lib").toFile().list((dir, name) -> name.matches("opensearch-\\d.*\\.jar"));
    return jars == null || jars.length == 0
        ? "not in this tree"
        : Arrays.stream(jars).sorted().findFirst().orElse("").replaceAll("opensearch-|\\.jar", "");
  }
}
