package io.millrace.launcher.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.machine.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterStateTest {
  private static ClusterState.Node node(long pid, long stamp) {
    return new ClusterState.Node("node-1", pid, stamp, 9200, 9300, "1g", "d", "l", "c", null);
  }

  private static ClusterState state(ClusterState.Node node) {
    return new ClusterState(
        ClusterState.VERSION,
        "millrace",
        null,
        "2026-01-01T00:00:00Z",
        "tree",
        List.of(node),
        null);
  }

  @Test
  void comesBackAsWritten(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("cluster.json");
    ClusterState written = state(node(17, 99));
    written.write(file);
    assertEquals(Optional.of(written), ClusterState.read(file));
    try (var files = Files.list(dir)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void settingsComeBackAndAreUnknownInAnOlderFile(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("cluster.json");
    ClusterState written =
        new ClusterState(
            ClusterState.VERSION, "c", null, "", "", List.of(node(17, 99)), Map.of("b", "1"));
    written.write(file);
    assertEquals(Optional.of(written), ClusterState.read(file));
    Files.writeString(
        file,
        """
        {"version":1,"cluster":"c","profile":null,"startedAt":"","tree":"","nodes":[
         {"name":"node-1","pid":17,"startStamp":99,"httpPort":9200,"transportPort":9300,
          "heap":"1g","data":"d","log":"l","console":"c"}]}\
        """);
    ClusterState older = ClusterState.read(file).orElseThrow();
    assertEquals(List.of(node(17, 99)), older.nodes());
    assertEquals(null, older.settings());
  }

  @Test
  void noFileIsNothingRunning(@TempDir Path dir) {
    assertEquals(Optional.empty(), ClusterState.read(dir.resolve("cluster.json")));
  }

  @Test
  void aDamagedFileNamesItself(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("cluster.json"), "{ \"version\": 1, \"nod");
    ExpectedFailure failure = assertThrows(ExpectedFailure.class, () -> ClusterState.read(file));
    assertTrue(failure.getMessage().contains(file.toString()), failure.getMessage());
  }

  @Test
  void keysOfALaterVersionAreIgnored(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("cluster.json");
    Files.writeString(
        file,
        "{\"version\":2,\"cluster\":\"c\",\"startedAt\":\"\",\"tree\":\"\",\"new\":1,\"nodes\":[]}");
    assertEquals("c", ClusterState.read(file).orElseThrow().cluster());
  }

  @Test
  void aReusedPidIsNotOurNode() {
    long self = ProcessHandle.current().pid();
    long stamp = ProcFs.startStamp(self);
    assertTrue(node(self, stamp).alive());
    assertFalse(node(self, stamp + 1).alive());
    assertEquals(1, state(node(self, stamp)).living().size());
    assertEquals(0, state(node(self, stamp + 1)).living().size());
  }

  @Test
  void processorTimeOfThisProcessGrows() {
    long before = ProcFs.cpuNanos(ProcessHandle.current().pid());
    assertTrue(before > 0);
    assertEquals(0, ProcFs.startStamp(Integer.MAX_VALUE));
  }
}
