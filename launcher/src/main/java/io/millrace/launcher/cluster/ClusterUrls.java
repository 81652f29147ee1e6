package io.millrace.launcher.cluster;

import io.millrace.launcher.secure.LocalSecrets;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a command that talks to a cluster sends its requests: what the user names, else {@code
 * MILLRACE_URL}, else the cluster that {@code up} runs here, else port 9200 of this machine.
 */
public final class ClusterUrls {
  public static final String DEFAULT = "http://127.0.0.1:9200";

  private static final Pattern LOCAL =
      Pattern.compile("https://(?:[^/@]+@)?(?:127\\.0\\.0\\.1|localhost|\\[::1]):(\\d{1,5})/?");

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

  /**
   * What it takes to ask secured nodes that {@code up} runs here, if every one of these addresses
   * is such a node's and this process may read it. An address elsewhere must not get the launcher's
   * credential.
   *
   * @param urls as a user writes them
   */
  public static Optional<LocalSecrets> secretsOf(List<String> urls) {
    try {
      return secretsOf(urls, ClusterState.read(Workspace.locate().stateFile()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static Optional<LocalSecrets> secretsOf(List<String> urls, Optional<ClusterState> running) {
    Map<Integer, LocalSecrets> byPort = new HashMap<>();
    for (ClusterState.Node node : running.map(ClusterState::living).orElse(List.of())) {
      LocalSecrets secrets = node.access().secrets();
      if (secrets != null && secrets.readable()) {
        byPort.put(node.httpPort(), secrets);
      }
    }
    LocalSecrets found = null;
    for (String url : urls) {
      Matcher local = LOCAL.matcher(url.strip());
      found = local.matches() ? byPort.get(Integer.valueOf(local.group(1))) : null;
      if (found == null) {
        return Optional.empty();
      }
    }
    return Optional.ofNullable(found);
  }

  static List<String> choose(Map<String, String> environment, Optional<ClusterState> running) {
    String fromEnvironment = environment.getOrDefault("MILLRACE_URL", "");
    if (!fromEnvironment.isEmpty()) {
      return List.of(fromEnvironment.split(","));
    }
    List<String> here =
        running.map(ClusterState::living).orElse(List.of()).stream()
            .map(node -> node.access().url())
            .toList();
    return here.isEmpty() ? List.of(DEFAULT) : here;
  }
}
