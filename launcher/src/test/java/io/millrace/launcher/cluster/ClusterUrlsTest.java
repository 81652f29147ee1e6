package io.millrace.launcher.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.launcher.machine.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterUrlsTest {
  /** This very process stands for a node that lives; pid 2^30 for one that is gone. */
  private static ClusterState running(long pid, long stamp) {
    return new ClusterState(
        ClusterState.VERSION,
        "c",
        null,
        "2026-01-01T00:00:00Z",
        "tree",
        List.of(new ClusterState.Node("n", pid, stamp, 9210, 9310, "1g", "d", "l", "c", null)),
        null);
  }

  private static long stampOfThisProcess() {
    return ProcFs.startStamp(ProcessHandle.current().pid());
  }

  @Test
  void whatTheUserNamesWins() {
    assertEquals(List.of("http://there:1"), ClusterUrls.choose(List.of("http://there:1")));
  }

  @Test
  void thenTheEnvironment() {
    assertEquals(
        List.of("http://a:1", "http://b:2"),
        ClusterUrls.choose(
            Map.of("MILLRACE_URL", "http://a:1,http://b:2"),
            Optional.of(running(ProcessHandle.current().pid(), stampOfThisProcess()))));
  }

  @Test
  void thenTheClusterThatRunsHere() {
    assertEquals(
        List.of("http://127.0.0.1:9210"),
        ClusterUrls.choose(
            Map.of(), Optional.of(running(ProcessHandle.current().pid(), stampOfThisProcess()))));
  }

  @Test
  void theLaunchersCredentialGoesToItsOwnNodesOnly(@TempDir Path dir) throws IOException {
    Files.writeString(dir.resolve("credentials"), "a:b");
    Files.writeString(dir.resolve("http-ca.crt"), "");
    long pid = ProcessHandle.current().pid();
    ClusterState state = running(pid, stampOfThisProcess());
    ClusterState.Node node = state.nodes().getFirst();
    ClusterState.Node secured =
        new ClusterState.Node(
            "n", pid, node.startStamp(), 9210, 9310, "1g", "d", "l", "c", dir.toString());
    Optional<ClusterState> now = Optional.of(state.withNodes(List.of(secured)));
    assertEquals(List.of("https://127.0.0.1:9210"), ClusterUrls.choose(Map.of(), now));
    for (String own : List.of("https://127.0.0.1:9210", "https://localhost:9210/")) {
      assertTrue(ClusterUrls.secretsOf(List.of(own), now).isPresent(), own);
    }
    for (List<String> other :
        List.of(
            List.of("http://127.0.0.1:9210"),
            List.of("https://127.0.0.1:9211"),
            List.of("https://127.0.0.1.example:9210"),
            List.of("https://there:9210"),
            List.of("https://127.0.0.1:9210", "https://there:9210"),
            List.of("https://127.0.0.1:9210@there:1"))) {
      assertEquals(Optional.empty(), ClusterUrls.secretsOf(other, now), other.toString());
    }
    assertEquals(
        Optional.empty(),
        ClusterUrls.secretsOf(List.of("https://127.0.0.1:9210"), Optional.of(state)));
  }

  @Test
  void elseTheUsualPort() {
    assertEquals(List.of(ClusterUrls.DEFAULT), ClusterUrls.choose(Map.of(), Optional.empty()));
    assertEquals(
        List.of(ClusterUrls.DEFAULT),
        ClusterUrls.choose(Map.of(), Optional.of(running(1L << 30, 1))));
  }
}
