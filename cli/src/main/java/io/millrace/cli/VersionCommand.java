package io.millrace.cli;

import io.millrace.client.failure.ExitCode;
import io.millrace.launcher.workspace.Workspace;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine.Command;

/** {@code millrace version}: what to quote in a bug report. */
@Command(name = "version", description = "Show the versions of Millrace, OpenSearch and Java.")
final class VersionCommand extends NodeCommand {
  @Override
  public Integer call() throws Exception {
    Path tree = Workspace.locate().source();
    out().println("Millrace   " + version());
    out().println("OpenSearch " + openSearch(tree));
    out().println("Java       " + Runtime.version() + " (" + System.getProperty("java.home") + ")");
    out().println("Tree       " + tree);
    return ExitCode.OK;
  }

  static String version() {
    String version = VersionCommand.class.getPackage().getImplementationVersion();
    return version == null ? "of a class folder" : version;
  }

  private static String openSearch(Path tree) {
    String[] jars =
        tree.resolve("lib").toFile().list((dir, name) -> name.matches("opensearch-\\d.*\\.jar"));
    return jars == null || jars.length == 0
        ? "not in this tree"
        : Arrays.stream(jars).sorted().findFirst().orElse("").replaceAll("opensearch-|\\.jar", "");
  }
}
