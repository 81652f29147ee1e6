package io.millrace.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  @Test
  void portsAreDistinctAndBelowTheEphemeralRange() {
    List<Integer> ports = FreePorts.free(6);
    assertEquals(6, new HashSet<>(ports).size());
    ports.forEach(port -> assertTrue(port > 1024 && port < 32768, "" + port));
  }

  @Test
  void aTakenPortIsNotFree() throws Exception {
    int port = FreePorts.free(1).get(0);
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      for (int i = 0; i < 20; i++) {
        assertFalse(FreePorts.free(4).contains(port));
      }
    }
  }

  @Test
  void whatOneProcessWasGivenNoOtherGets() throws Exception {
    List<Integer> given = FreePorts.free(3);
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dmillrace.test.ports=" + given.get(0) + "-" + given.get(0),
                Asks.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertNotEquals(0, other.waitFor());
    assertTrue(said.contains("1 free ports wanted, 0 found"), said);
  }

  /** Another test process. */
  static final class Asks {
    public static void main(String[] arguments) {
      FreePorts.free(1);
    }
  }

  @Test
  void tooManyNamesTheRemedy() {
    IllegalStateException error =
        assertThrows(IllegalStateException.class, () -> FreePorts.free(10_000));
    assertTrue(error.getMessage().contains("-Dmillrace.test.ports"), error.getMessage());
  }
}
