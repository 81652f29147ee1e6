package io.millrace.launcher.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for at {@code up}; {@code null} or empty leaves it to us.
 *
 * @param data parent of the nodes' data folders
 * @param secure {@code null} for what the workspace is
 * @param exposed whether nodes that let everybody in may be reached from other machines
 * @param settings lines of {@code opensearch.yml}
 */
public record UpRequest(
    @Nullable Integer nodes,
    @Nullable Integer port,
    @Nullable String heap,
    @Nullable String profile,
    @Nullable Path data,
    @Nullable Boolean secure,
    boolean exposed,
    Map<String, String> settings) {

  /** Whether everything is left open. */
  public boolean none() {
    return nodes == null
        && port == null
        && heap == null
        && profile == null
        && data == null
        && secure == null
        && settings.isEmpty();
  }

  /**
   * This request for a cluster that ended without {@code down}: what it leaves open is as it was.
   * So {@code up --heap 2g} after a crash finds the documents that lie in {@code --data}.
   */
  UpRequest over(ClusterState ended) {
    ClusterState.Node first = ended.nodes().getFirst();
    Path recorded = Path.of(first.data());
    Map<String, String> all = new TreeMap<>();
    if (ended.settings() != null) {
      all.putAll(ended.settings());
    }
    all.putAll(settings);
    // a heap chosen for no profile, or for another, is none the user asked for
    boolean sameProfile = profile == null || profile.equals(ended.profile());
    return new UpRequest(
        nodes != null ? nodes : Integer.valueOf(ended.nodes().size()),
        port != null ? port : Integer.valueOf(first.httpPort()),
        heap != null || !sameProfile ? heap : first.heap(),
        profile != null ? profile : ended.profile(),
        data != null || FormationMarker.isOwn(first.name(), recorded) ? data : recorded.getParent(),
        secure,
        exposed,
        all);
  }

  /** Options that a running cluster does not have, each with what it has instead. */
  public List<String> differences(ClusterState running) {
    ClusterState.Node first = running.nodes().getFirst();
    List<String> differ = new ArrayList<>();
    if (nodes != null && nodes != running.nodes().size()) {
      differ.add("--nodes " + nodes + " (it has " + running.nodes().size() + ")");
    }
    if (port != null && port != first.httpPort()) {
      differ.add("--port " + port + " (it is " + first.httpPort() + ")");
    }
    if (heap != null && !heap.equalsIgnoreCase(first.heap())) {
      differ.add("--heap " + heap + " (it has " + first.heap() + ")");
    }
    if (profile != null && !profile.equals(running.profile())) {
      differ.add("--jvm-profile " + profile + " (it has " + running.profile() + ")");
    }
    if (data != null && !Path.of(first.data()).startsWith(data.toAbsolutePath())) {
      differ.add("--data " + data + " (it is " + Path.of(first.data()).getParent() + ")");
    }
    boolean secured = first.secrets() != null;
    if (secure != null && secure != secured) {
      differ.add(secure ? "--secure (it lets everybody in)" : "--no-secure (it is secured)");
    }
    Map<String, String> has = running.settings() == null ? Map.of() : running.settings();
    List<String> others =
        settings.entrySet().stream()
            .filter(given -> !given.getValue().equals(has.get(given.getKey())))
            .map(Map.Entry::getKey)
            .toList();
    if (!others.isEmpty()) {
      differ.add("-E " + String.join(", ", others));
    }
    return differ;
  }
}
