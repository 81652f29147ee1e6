package io.millrace.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
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
  void tooManyNamesTheRemedy() {
    IllegalStateException error =
        assertThrows(IllegalStateException.class, () -> FreePorts.free(10_000));
    assertTrue(error.getMessage().contains("-Dmillrace.test.ports"), error.getMessage());
  }
}
