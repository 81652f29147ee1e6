package io.millrace.launcher.cluster;

import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a command that talks to a cluster sends its requests: what the user names, else {@code
 * MILLRACE_URL}, else the cluster that {@code up} runs here, else port 9200 of this machine.
 */
public final class ClusterUrls {
  public static final String DEFAULT = "http://127.0.0.1:9200";

  private ClusterUrls() {}

  /**
   * Base URLs, at least one.
   *
   * @param named by the user, empty if none
   */
  public static List<String> choose(List<String> named) {
    if (!named.isEmpty()) {
      return named;
    }
    try {
      return choose(System.getenv(), ClusterState.read(Workspace.locate().stateFile()));
    } catch (IOException e) {
      return choose(System.getenv(), Optional.empty());
    }
  }

  static List<String> choose(Map<String, String> environment, Optional<ClusterState> running) {
    String fromEnvironment = environment.getOrDefault("MILLRACE_URL", "");
    if (!fromEnvironment.isEmpty()) {
      return List.of(fromEnvironment.split(","));
    }
    List<String> here =
        running.map(ClusterState::living).orElse(List.of()).stream()
            .map(node -> "http://127.0.0.1:" + node.httpPort())
            .toList();
    return here.isEmpty() ? List.of(DEFAULT) : here;
  }
}
