package io.millrace.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.it.chaos.Network.Direction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection of node 1 to node 0 through the proxy of node 0. */
class NetworkTest {
  private static final int NEAR = 1;
  private static final int FAR = 0;
  private static final Direction THERE = new Direction(NEAR, FAR);
  private static final Direction BACK = new Direction(FAR, NEAR);
  private static final int SOON_MILLIS = 300;
  private static final int LONG_MILLIS = 20_000;

  private final Network network = new Network();
  private ServerSocket server;
  private int port;
  private Socket near;
  private Socket far;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    port = network.proxy(server.getLocalPort());
    network.peers((from, to) -> OptionalInt.of(NEAR));
    near = new Socket(InetAddress.getLoopbackAddress(), port);
    far = server.accept();
  }

  @AfterEach
  void close() throws IOException {
    network.close();
    near.close();
    far.close();
    server.close();
  }

  private static void send(Socket from, int value) throws IOException {
    from.getOutputStream().write(value);
  }

  private static int received(Socket at, int millis) throws IOException {
    at.setSoTimeout(millis);
    return at.getInputStream().read();
  }

  private static void nothing(Socket at) {
    assertThrows(SocketTimeoutException.class, () -> received(at, SOON_MILLIS));
  }

  @Test
  void bytesGoBothWays() throws IOException {
    send(near, 1);
    assertEquals(1, received(far, LONG_MILLIS));
    send(far, 2);
    assertEquals(2, received(near, LONG_MILLIS));
  }

  @Test
  void oneDirectionIsHeldBackAndComesLater() throws IOException {
    network.part(Set.of(THERE), true);
    send(near, 1);
    nothing(far);
    send(far, 2);
    assertEquals(2, received(near, LONG_MILLIS));
    network.heal();
    assertEquals(1, received(far, LONG_MILLIS));
  }

  @Test
  void theOtherDirectionIsHeldBackAndComesLater() throws IOException {
    network.part(Set.of(BACK), true);
    send(near, 1);
    assertEquals(1, received(far, LONG_MILLIS));
    send(far, 2);
    nothing(near);
    network.heal();
    assertEquals(2, received(near, LONG_MILLIS));
  }

  @Test
  void aNewConnectionWaitsForTheEnd() throws IOException {
    network.part(Set.of(THERE, BACK), true);
    try (Socket another = new Socket(InetAddress.getLoopbackAddress(), port)) {
      send(another, 3);
      server.setSoTimeout(SOON_MILLIS);
      assertThrows(SocketTimeoutException.class, server::accept);
      network.heal();
      server.setSoTimeout(LONG_MILLIS);
      try (Socket accepted = server.accept()) {
        assertEquals(3, received(accepted, LONG_MILLIS));
      }
    }
  }

  @Test
  void aCutResetsAndRefuses() throws IOException {
    network.part(Set.of(THERE, BACK), false);
    assertThrows(IOException.class, () -> ended(near));
    assertThrows(IOException.class, () -> ended(far));
    try (Socket another = new Socket(InetAddress.getLoopbackAddress(), port)) {
      assertThrows(IOException.class, () -> ended(another));
    }
  }

  private static void ended(Socket socket) throws IOException {
    if (received(socket, LONG_MILLIS) < 0) {
      throw new IOException("closed");
    }
  }

  @Test
  void otherNodesAreNotTouched() throws IOException {
    network.part(Set.of(new Direction(2, FAR), new Direction(FAR, 2)), true);
    send(near, 1);
    assertEquals(1, received(far, LONG_MILLIS));
  }

  @Test
  void anEndIsPassedOn() throws IOException {
    near.shutdownOutput();
    assertEquals(-1, received(far, LONG_MILLIS));
    send(far, 2);
    assertEquals(2, received(near, LONG_MILLIS));
  }

  @Test
  void theOwnerOfAConnectionIsFound() throws IOException {
    long self = ProcessHandle.current().pid();
    OptionalInt owner =
        SocketOwners.owner(near.getLocalPort(), near.getPort(), List.of(0L, 1L, self));
    assertEquals(OptionalInt.of(2), owner);
    assertEquals(
        OptionalInt.empty(), SocketOwners.owner(near.getLocalPort(), near.getPort(), List.of(0L)));
  }
}
