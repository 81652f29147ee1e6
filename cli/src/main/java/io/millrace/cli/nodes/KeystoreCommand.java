package io.millrace.cli.nodes;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.node.ForegroundProcess;
import io.millrace.launcher.workspace.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code millrace keystore ...}: hands on to {@code bin/opensearch-keystore} for a node that {@code
 * up} runs. Its own options come first; what follows the first word is the keystore's.
 */
@Command(
    name = "keystore",
    description = "Secure settings of a node: create, list, add, add-file, remove, show, passwd.")
public final class KeystoreCommand extends NodeCommand {
  @Option(
      names = "--node",
      paramLabel = "NAME",
      description = "which node (default ${DEFAULT-VALUE})")
  private String node = "node-1";

  @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "as for opensearch-keystore")
  private List<String> args = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    Workspace place = Workspace.locate();
    int code = asServerUser(place, null);
    if (code >= 0) {
      return code;
    }
    if (!node.matches("[A-Za-z0-9_-]+")) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "--node " + node + " is not the name of a node", null);
    }
    syncTree(place);
    Path config = Files.createDirectories(place.nodes().resolve(node).resolve("config"));
    List<String> command = new ArrayList<>();
    command.add(place.tree().resolve("bin/opensearch-keystore").toString());
    command.addAll(withWholePaths(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("OPENSEARCH_PATH_CONF", config.toString());
    builder.environment().put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
    return ForegroundProcess.run(builder, ForegroundProcess.GRACE);
  }

  /** The files of {@code add-file NAME PATH ...}, counted from where the user called. */
  static List<String> withWholePaths(List<String> args) {
    if (!args.getFirst().equals("add-file")) {
      return args;
    }
    List<String> whole = new ArrayList<>();
    boolean path = true; // the word add-file itself counts as the first path
    for (String arg : args) {
      if (arg.startsWith("-")) {
        whole.add(arg);
        continue;
      }
      whole.add(path && !whole.isEmpty() ? Unprivileged.asCalled(Path.of(arg)).toString() : arg);
      path = !path;
    }
    return whole;
  }
}
