package io.millrace.access.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** Two engines that talk to each other in memory. */
final class Handshake {
  private static final int MOST_STEPS = 1000;

  private Handshake() {}

  /**
   * Shakes hands.
   *
   * @throws SSLException when one of them refuses the other
   */
  static void between(SSLEngine client, SSLEngine server) throws SSLException {
    ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
    client.beginHandshake();
    server.beginHandshake();
    for (int i = 0; i < MOST_STEPS; i++) {
      boolean moved = step(client, toClient, toServer);
      moved |= step(server, toServer, toClient);
      if (!moved) {
        if (done(client) && done(server)) {
          return;
        }
        throw new SSLException("both wait: " + client.getHandshakeStatus());
      }
    }
    throw new SSLException("no end");
  }

  private static boolean done(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  private static boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    boolean moved = false;
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
      moved = true;
    }
    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      moved |= engine.wrap(ByteBuffer.allocate(0), out).bytesProduced() > 0;
    }
    in.flip();
    SSLEngineResult read = engine.unwrap(in, ByteBuffer.allocate(1 << 16));
    in.compact();
    return moved | read.bytesConsumed() > 0;
  }
}
