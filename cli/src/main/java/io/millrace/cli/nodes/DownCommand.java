package io.millrace.cli.nodes;

import io.millrace.client.failure.ExitCode;
import io.millrace.launcher.cluster.ClusterState;
import io.millrace.launcher.node.NodeProcess;
import io.millrace.launcher.supervise.Supervision;
import io.millrace.launcher.workspace.Workspace;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code millrace down}: SIGTERM to every node at once, SIGKILL to those that do not end in time.
 * Documents stay; nothing to stop is no error.
 */
@Command(name = "down", description = "Stop the nodes; the documents stay.")
public final class DownCommand extends NodeCommand {
  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "how long a node may take before it is killed (default ${DEFAULT-VALUE})")
  private int timeout = 60;

  @Override
  public Integer call() throws Exception {
    Workspace place = Workspace.locate();
    if (!Files.exists(place.stateFile())) {
      out().println("nothing is running here");
      return ExitCode.OK;
    }
    int code = asServerUser(place, null);
    if (code >= 0) {
      return code;
    }
    try (AutoCloseable lock = exclusively(place)) {
      return down(place);
    }
  }

  private int down(Workspace place) throws Exception {
    new Supervision(place).stop();
    Optional<ClusterState> state = ClusterState.read(place.stateFile());
    List<ClusterState.Node> living = state.map(ClusterState::living).orElse(List.of());
    for (ClusterState.Node node : living) {
      node.process().terminate();
    }
    int killed = 0;
    for (ClusterState.Node node : living) {
      NodeProcess process = node.process();
      if (process.stop(Duration.ofSeconds(timeout))) {
        out().println(node.name() + " stopped (pid " + node.pid() + ")");
      } else {
        killed++;
        out()
            .println(
                node.name()
                    + " did not end within "
                    + timeout
                    + " s and was killed (pid "
                    + node.pid()
                    + ")");
      }
    }
    Files.deleteIfExists(place.stateFile());
    if (living.isEmpty()) {
      out().println("nothing was running any more");
    }
    return killed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }
}
