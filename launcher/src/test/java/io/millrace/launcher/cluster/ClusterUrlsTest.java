package io.millrace.launcher.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.launcher.machine.ProcFs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterUrlsTest {
  /** This very process stands for a node that lives; pid 2^30 for one that is gone. */
  private static ClusterState running(long pid, long stamp) {
    return new ClusterState(
        ClusterState.VERSION,
        "c",
        null,
        "2026-01-01T00:00:00Z",
        "tree",
        List.of(new ClusterState.Node("n", pid, stamp, 9210, 9310, "1g", "d", "l", "c")),
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
  void elseTheUsualPort() {
    assertEquals(List.of(ClusterUrls.DEFAULT), ClusterUrls.choose(Map.of(), Optional.empty()));
    assertEquals(
        List.of(ClusterUrls.DEFAULT),
        ClusterUrls.choose(Map.of(), Optional.of(running(1L << 30, 1))));
  }
}
