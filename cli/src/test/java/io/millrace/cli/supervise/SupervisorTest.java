package io.millrace.cli.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cli.node.ClusterState;
import io.millrace.cli.supervise.Incidents.Incident;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void aPortThatOnlyAcceptsGivesNoAnswer() throws IOException {
    // as a stopped process: the kernel accepts for it
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      assertFalse(Probe.answers(server.getLocalPort(), 200));
    }
  }

  @Test
  void anyStatusIsAnAnswer() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread answering =
          new Thread(() -> {
            try (Socket client = server.accept()) {
              client
                  .getOutputStream()
                  .write("HTTP/1.0 503 x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      answering.start();
      assertTrue(Probe.answers(server.getLocalPort(), 60_000));
      answering.join();
    }
  }

  @Test
  void incidentsAreKeptInOrder() throws IOException {
    Incidents incidents = new Incidents(folder);
    assertTrue(incidents.all().isEmpty());
    for (int i = 0; i < 60; i++) {
      incidents.add(new Incident("t" + i, i % 2 == 0 ? "a" : "b", i, "r", Incidents.RESTARTED));
    }
    assertEquals(50, incidents.all().size());
    assertEquals("t59", incidents.last("b").orElseThrow().at());
    assertEquals("t58", incidents.last("a").orElseThrow().at());
    Files.writeString(folder.resolve("incidents.json"), "[{");
    assertTrue(incidents.all().isEmpty(), "a damaged file is no reason to fail");
  }

  @Test
  void theNodesOwnReasonComesFirst() throws IOException {
    Path log = Files.writeString(folder.resolve("millrace.log"), "[2026][ERROR] something\n");
    ClusterState.Node node =
        new ClusterState.Node(
            "node-1", 1, 1, 9200, 9300, "1g", "d", log.toString(), log + ".console");
    assertTrue(Reason.of(node).contains("something"), Reason.of(node));
    Files.write(folder.resolve(Reason.LEFT), new byte[50]);
    assertTrue(Reason.of(node).contains("something"), "zeros: it did not leave by itself");
    Files.writeString(folder.resolve(Reason.LEFT), "guard.gc-debt: full\n");
    assertEquals("guard.gc-debt: full", Reason.of(node));
  }
}
