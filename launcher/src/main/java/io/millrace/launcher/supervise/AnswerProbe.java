package io.millrace.launcher.supervise;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Asks a node's HTTP port for any answer at all. Every status counts, also 401 and 503: the
 * question is whether the node still serves, not whether the cluster is healthy; a restart heals no
 * red cluster. A stopped process still accepts connections (the kernel does), so an answer is read.
 */
final class AnswerProbe {
  private AnswerProbe() {}

  static boolean answers(int port, int timeoutMillis) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
      socket.setSoTimeout(timeoutMillis);
      socket.getOutputStream().write("HEAD / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return in.read() == 'H';
    } catch (IOException e) {
      return false;
    }
  }
}
