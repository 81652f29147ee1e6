package io.millrace.access.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveTlsTest {
  @TempDir private Path dir;
  private TestCertificates cluster;

  @BeforeEach
  void aNode() throws IOException {
    cluster = new TestCertificates(dir.resolve("a")).node("n1", "10.0.0.1");
  }

  @Test
  void newFilesAreTakenAndNamedByTheirEnd() throws Exception {
    LiveTls live = new LiveTls("HTTP", cluster.http("n1"));
    SSLContext before = live.context();
    Instant end = live.end();
    live.checkAndNotify();
    assertSame(before, live.context(), "nothing changed");
    cluster.renew("n1", 10);
    live.checkAndNotify();
    assertNotSame(before, live.context());
    assertTrue(live.end().isBefore(end), live.end() + " and before " + end);
    assertEquals(1, live.reloads());
    assertEquals(0, live.failures());
  }

  @Test
  void aKeyWithoutItsCertificateWaitsForIt() throws Exception {
    LiveTls live = new LiveTls("HTTP", cluster.http("n1"));
    SSLContext before = live.context();
    TestCertificates later = new TestCertificates(dir.resolve("b")).node("n1", "10.0.0.1");
    Files.copy(
        later.http("n1").key(), cluster.http("n1").key(), StandardCopyOption.REPLACE_EXISTING);
    live.checkAndNotify();
    live.checkAndNotify();
    assertSame(before, live.context(), "half of a pair is not used");
    assertEquals(2, live.failures());
    assertTrue(live.trouble().contains("http.key"), live.trouble());
    Files.copy(
        later.http("n1").certificate(),
        cluster.http("n1").certificate(),
        StandardCopyOption.REPLACE_EXISTING);
    live.checkAndNotify();
    assertNotSame(before, live.context());
    assertEquals("", live.trouble());
  }

  @Test
  void aFileThatIsGoneOrBrokenLeavesTheOldOnesInUse() throws Exception {
    LiveTls live = new LiveTls("HTTP", cluster.http("n1"));
    SSLContext before = live.context();
    Path certificate = cluster.http("n1").certificate();
    Files.writeString(certificate, "nothing");
    live.checkAndNotify();
    assertTrue(live.trouble().contains("http.crt"), live.trouble());
    Files.delete(certificate);
    live.checkAndNotify();
    assertSame(before, live.context());
    assertEquals(2, live.failures());
  }

  @Test
  void openConnectionsOutliveTheirCertificate() throws Exception {
    cluster.node("n2", "10.0.0.2");
    LiveTls server = new LiveTls("transport", cluster.transport("n2"));
    TlsProvider two = new TlsProvider();
    two.begin(server, server);
    TlsProvider one = cluster.provider("n1");
    var open = two.transportServer();
    Handshake.between(one.transportClient("10.0.0.2", 1), open);
    var shown = open.getSession().getLocalCertificates()[0];
    cluster.renew("n2", 100);
    server.checkAndNotify();
    var next = two.transportServer();
    Handshake.between(one.transportClient("10.0.0.2", 1), next);
    assertNotEquals(shown, next.getSession().getLocalCertificates()[0]);
    assertEquals(shown, open.getSession().getLocalCertificates()[0]);
    assertTrue(!open.isOutboundDone() && !open.isInboundDone());
  }

  @Test
  void filesThatCannotBeUsedAreNamed() throws Exception {
    Path own = cluster.folder.ofNode("n1");
    Path bad = dir.resolve("bad.pem");
    for (String text :
        List.of(
            "",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")) {
      Files.writeString(bad, text);
      for (KeyMaterial.Paths paths :
          List.of(
              new KeyMaterial.Paths(bad, own.resolve("http.key"), null),
              new KeyMaterial.Paths(own.resolve("http.crt"), bad, null),
              new KeyMaterial.Paths(own.resolve("http.crt"), own.resolve("http.key"), bad))) {
        IOException refused =
            assertThrows(IOException.class, () -> KeyMaterial.read(paths), text + paths);
        assertTrue(refused.getMessage().contains("bad.pem"), refused.getMessage());
      }
    }
    Path none = dir.resolve("none");
    IOException missing =
        assertThrows(
            IOException.class,
            () -> KeyMaterial.read(new KeyMaterial.Paths(none, own.resolve("http.key"), null)));
    assertTrue(missing.getMessage().contains("missing"), missing.getMessage());
    KeyMaterial.Paths mixed =
        new KeyMaterial.Paths(own.resolve("http.crt"), own.resolve("transport.key"), null);
    IOException strange = assertThrows(IOException.class, () -> KeyMaterial.read(mixed));
    assertTrue(strange.getMessage().contains("is not the one"), strange.getMessage());
  }
}
