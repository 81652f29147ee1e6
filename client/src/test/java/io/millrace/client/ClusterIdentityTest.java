package io.millrace.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.millrace.client.ClusterIdentity.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Over TLS: who is verified may have the password, nobody else. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ClusterIdentityTest {
  private static final char[] STORE = "password".toCharArray();

  @TempDir Path folder;
  private final List<String> passwords = Collections.synchronizedList(new ArrayList<>());

  /** A key for this name, and a certificate that is its own authority. */
  private SSLContext key(String name) throws Exception {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-ext",
                "SAN=" + name,
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(STORE),
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.txt").toFile())
            .start();
    assertEquals(0, keytool.waitFor(), () -> "see " + folder);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, STORE);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, STORE);
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private HttpsServer node(SSLContext context) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", this::answer);
    server.start();
    return server;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String password = exchange.getRequestHeaders().getFirst("Authorization");
    byte[] body = new byte[0];
    if (password != null) {
      passwords.add(password);
      body = "{\"cluster_uuid\":\"ours\"}".getBytes(StandardCharsets.US_ASCII);
    }
    exchange.sendResponseHeaders(password == null ? 401 : 200, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /**
   * Asks again while the answer did not come in time: a busy machine is slow at a first handshake.
   */
  private Finding ask(SSLContext trust, String uuid, HttpsServer node) {
    HttpClient client = HttpClient.newBuilder().sslContext(trust).build();
    String base = "https://127.0.0.1:" + node.getAddress().getPort();
    ClusterIdentity identity = new ClusterIdentity(client, Credentials.basic("x:y"), uuid);
    Finding finding = Finding.SILENT;
    for (int i = 0; i < 20 && finding == Finding.SILENT; i++) {
      passwords.clear();
      finding = identity.ask(base).join();
    }
    return finding;
  }

  @Test
  void aVerifiedNodeMayAskForThePassword() throws Exception {
    SSLContext key = key("ip:127.0.0.1");
    HttpsServer node = node(key);
    try {
      assertEquals(Finding.SAME, ask(key, "ours", node));
      assertEquals(List.of("Basic eDp5"), passwords);
      assertEquals(Finding.OTHER, ask(key, "theirs", node));
    } finally {
      node.stop(0);
    }
  }

  @Test
  void aNodeWithoutATrustedCertificateGetsNothing() throws Exception {
    SSLContext key = key("ip:127.0.0.1");
    HttpsServer node = node(key);
    try {
      assertEquals(Finding.UNVERIFIED, ask(SSLContext.getDefault(), "ours", node));
      assertEquals(List.of(), passwords);
    } finally {
      node.stop(0);
    }
  }

  @Test
  void aCertificateForAnotherNameGetsNothing() throws Exception {
    SSLContext key = key("dns:es2");
    HttpsServer node = node(key);
    try {
      assertEquals(Finding.UNVERIFIED, ask(key, "ours", node));
      assertEquals(List.of(), passwords);
    } finally {
      node.stop(0);
    }
  }
}
