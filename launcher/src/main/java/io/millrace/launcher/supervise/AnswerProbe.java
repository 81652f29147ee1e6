package io.millrace.launcher.supervise;

import io.millrace.launcher.secure.NodeAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Asks a node's HTTP port for any answer at all. Every status counts, also 401 and 503: the
 * question is whether the node still serves, not whether the cluster is healthy; a restart heals no
 * red cluster. A stopped process still accepts connections (the kernel does), so an answer is read.
 *
 * <p>Nothing is told to the node but this request, so whose certificate it shows does not matter: a
 * node whose certificate has ended still serves, and killing it would make no new one.
 */
final class AnswerProbe {
  private static final byte[] REQUEST =
      "HEAD / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private AnswerProbe() {}

  static boolean answers(NodeAccess node, int timeoutMillis) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(loopback, node.port()), timeoutMillis);
      plain.setSoTimeout(timeoutMillis);
      if (node.secrets() == null) {
        return answers(plain);
      }
      try (Socket tls =
          anyCertificate()
              .getSocketFactory()
              .createSocket(plain, loopback.getHostAddress(), node.port(), true)) {
        return answers(tls);
      }
    } catch (IOException | GeneralSecurityException e) {
      return false;
    }
  }

  private static boolean answers(Socket socket) throws IOException {
    socket.getOutputStream().write(REQUEST);
    InputStream in = socket.getInputStream();
    return in.read() == 'H';
  }

  private static SSLContext anyCertificate() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anybody()}, null);
    return context;
  }

  private static final class Anybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
