package io.millrace.launcher.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.client.TrustedCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was made is what the JDK's TLS accepts, with the check of the host's name. */
class HandshakeTest {
  @TempDir private Path dir;

  private static SSLContext server(CertificateFolder folder) throws Exception {
    Path own = folder.ofNode("node-1");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "node",
        Pem.readKey(own.resolve("http.key"), "EC"),
        new char[0],
        Pem.readCertificates(own.resolve("http.crt")).toArray(X509Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static int echo(SSLContext server, SSLContext client, String host) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (SSLServerSocket listening =
        (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, loopback)) {
      CompletableFuture<Void> served =
          CompletableFuture.runAsync(() -> {
            try (Socket accepted = listening.accept()) {
              accepted.getOutputStream().write(accepted.getInputStream().read());
            } catch (IOException e) {
              // the client tells
            }
          });
      try (Socket plain = new Socket(loopback, listening.getLocalPort());
          SSLSocket socket =
              (SSLSocket)
                  client
                      .getSocketFactory()
                      .createSocket(plain, host, listening.getLocalPort(), true)) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.getOutputStream().write(42);
        return socket.getInputStream().read();
      } finally {
        served.join();
      }
    }
  }

  @Test
  void aClientWithTheAuthorityTalksToTheNamesOfTheCertificateOnly() throws Exception {
    CertificateFolder folder = new CertificateFolder(dir.resolve("ours"));
    folder.create(Names.parse("node-1=search.example"), CertificateFolder.VALIDITY);
    CertificateFolder others = new CertificateFolder(dir.resolve("others"));
    others.create(Names.parse("node-1"), CertificateFolder.VALIDITY);
    SSLContext server = server(folder);
    SSLContext client = TrustedCertificates.of(folder.httpAuthority());
    assertEquals(42, echo(server, client, "127.0.0.1"));
    assertEquals(42, echo(server, client, "search.example"));
    assertThrows(IOException.class, () -> echo(server, client, "other.example"));
    SSLContext stranger = TrustedCertificates.of(others.httpAuthority());
    assertThrows(IOException.class, () -> echo(server, stranger, "127.0.0.1"));
  }
}
