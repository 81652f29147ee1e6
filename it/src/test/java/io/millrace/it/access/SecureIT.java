package io.millrace.it.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Answer;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.Credentials;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import io.millrace.client.TrustedCertificates;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.it.support.PythonClients;
import io.millrace.testkit.Await;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code up --secure} of the distribution with two nodes: who gets in, what goes over the wire, and
 * certificates that change under an open connection.
 */
class SecureIT {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir private Path lines;
  private final LaunchedNode node;

  SecureIT() throws IOException {
    node = new LaunchedNode();
  }

  private String url() {
    return "https://127.0.0.1:" + node.port();
  }

  @AfterEach
  void stopAndRemove() throws IOException {
    node.close();
  }

  @Test
  void aSecuredClusterOfTwo() throws Exception {
    Outcome up = node.up("--secure", "--nodes", "2", "--heap", "512m");
    assertTrue(up.output().contains(url()), up.toString());
    String user = LaunchedNode.told("user", up);
    String password = LaunchedNode.told("password", up);

    ourCommandsGetIn();
    strangersDoNot();
    theDoctorLooksAsWhoItIs(user + ":" + password);
    nodesAskForCertificates();
    secretsAreNowhereElse(password);

    try (ClusterClient client = node.secured(0, Credentials.basic(user + ":" + password))) {
      Answer found = client.send(Request.of("GET", "/secured/_search?q=level:error"));
      assertEquals(200, found.status(), found.excerpt());
      assertEquals(1, found.json().path("hits").path("total").path("value").asInt());
      aKeyIsRevokedOnBothNodes(client, user + ":" + password);
      renewalUnderAnOpenConnection(client);
      foreignClientsGetIn(client, user + ":" + password);
    }

    Outcome again = node.up("--secure", "--nodes", "2");
    assertTrue(again.output().contains("already running"), again.toString());
    assertFalse(again.output().contains("password:"), again.toString());
  }

  private void ourCommandsGetIn() throws IOException {
    Path log = lines.resolve("app.ndjson");
    Files.writeString(
        log,
        "{\"@timestamp\":\"2026-11-22T10:00:00Z\",\"level\":\"error\",\"message\":\"a\"}\n"
            + "{\"@timestamp\":\"2026-11-22T10:00:01Z\",\"level\":\"info\",\"message\":\"b\"}\n");
    node.millrace("ingest", log.toString(), "--index", "secured").ok();
    JsonNode status = JsonHttp.MAPPER.readTree(node.millrace("status", "--json").ok().output());
    assertTrue(status.path("url").asText().startsWith("https://127.0.0.1:"), status.toString());
    assertEquals(2, status.path("documents").asInt(), status.toString());
    for (JsonNode node : status.path("nodes")) {
      assertEquals(0, node.path("incidents").size(), "the supervisor leaves it alone: " + node);
    }
  }

  private void strangersDoNot() throws Exception {
    for (ClientOptions stranger :
        List.of(
            ClientOptions.of(List.of("http://127.0.0.1:" + node.port())),
            ClientOptions.of(List.of(url())))) {
      try (ClusterClient client = new ClusterClient(stranger)) {
        assertThrows(
            NoAnswerException.class,
            () -> client.send(Request.of("GET", "/")),
            "plain text, and an authority that nobody told us of");
      }
    }
    ClientOptions trusting =
        ClientOptions.of(List.of(url())).tls(TrustedCertificates.of(node.authority()));
    for (ClientOptions stranger :
        List.of(trusting, trusting.credentials(Credentials.basic("admin:a guess")))) {
      try (ClusterClient client = new ClusterClient(stranger)) {
        for (String path : List.of("/", "/secured/_search", "/_millrace/explore", "/_cat/nodes")) {
          assertEquals(401, client.send(Request.of("GET", path)).status(), path);
        }
      }
    }
  }

  private void foreignClientsGetIn(ClusterClient client, String user) throws Exception {
    Map<String, String> who =
        Map.of("MILLRACE_USER", user, "MILLRACE_CA", node.authority().toString());
    PythonClients.run("opensearch-py==3.2.0", "bulk_client.py", url(), who);
    assertEquals(200, client.send(Request.of("DELETE", "/client-logs")).status());
    PythonClients.run("elasticsearch==7.10.1", "bulk_client.py", url(), who);
  }

  private void theDoctorLooksAsWhoItIs(String user) throws IOException {
    Outcome key = node.millrace("key", "create", "doctor", "--user", user).ok();
    for (List<String> who :
        List.of(List.of("--user", user), List.of("--api-key", LaunchedNode.told("encoded", key)))) {
      Path report = lines.resolve("report.json");
      List<String> words = new ArrayList<>(List.of("doctor", url(), "--ca", "" + node.authority()));
      words.addAll(List.of("--watch", "0s", "--format", "json", "-o", "" + report));
      words.addAll(who);
      node.millrace(words.toArray(String[]::new)).ok();
      JsonNode seen = JsonHttp.MAPPER.readTree(Files.readString(report));
      assertTrue(seen.path("checks").asInt() > 90, who.getFirst() + ": " + seen);
    }
    Outcome guess =
        node.millrace("doctor", url(), "--ca", "" + node.authority(), "--user", "admin:a guess");
    assertEquals(6, guess.exitCode(), guess.toString());
    assertTrue(guess.output().contains("HTTP 401"), guess.toString());
    Outcome plain = node.millrace("doctor", "http://127.0.0.1:" + node.port(), "--watch", "0s");
    assertEquals(6, plain.exitCode(), plain.toString());
    assertTrue(plain.output().contains("https://"), plain.toString());
  }

  /** Neither plain text nor TLS without a certificate opens a connection to a node's own port. */
  private void nodesAskForCertificates() throws Exception {
    SSLContext trusting =
        TrustedCertificates.of(node.run().resolve("certificates/transport-ca.crt"));
    try (SSLSocket socket =
        (SSLSocket) trusting.getSocketFactory().createSocket("127.0.0.1", node.port() + 100)) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      assertThrows(
          IOException.class,
          () -> {
            socket.startHandshake();
            // TLS 1.3: the refusal comes after the client's part is done
            socket.getOutputStream().write(1);
            if (socket.getInputStream().read() < 0) {
              throw new IOException("closed");
            }
          });
    }
    try (Socket plain = new Socket("127.0.0.1", node.port() + 100)) {
      plain.setSoTimeout((int) LIMIT.toMillis());
      plain.getOutputStream().write("ES plain text".getBytes(StandardCharsets.US_ASCII));
      int first = plain.getInputStream().read();
      assertNotEquals('E', first, "no answer in OpenSearch's own protocol");
    }
  }

  private void secretsAreNowhereElse(String password) throws IOException {
    String own = Files.readString(node.run().resolve("secrets/credentials")).strip();
    String second = own.substring(own.indexOf(':') + 1);
    try (Stream<Path> all = Files.walk(node.run())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".log") || name.endsWith(".yml") || name.endsWith(".json")) {
          String text = Files.readString(file, StandardCharsets.ISO_8859_1);
          assertFalse(text.contains(password) || text.contains(second), file.toString());
        }
        if (name.endsWith(".key") || name.equals("credentials") || name.equals("operators")) {
          assertEquals(
              "rw-------",
              PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
              file.toString());
        }
      }
    }
    List<String> arguments =
        ProcessHandle.allProcesses()
            .map(process -> process.info().commandLine().orElse(""))
            .filter(line -> line.contains(password) || line.contains(second))
            .toList();
    assertEquals(List.of(), arguments, "no secret in a process's arguments");
  }

  /** Once the answer to its deletion is there, no node takes it. */
  private void aKeyIsRevokedOnBothNodes(ClusterClient client, String user) throws Exception {
    Outcome made = node.millrace("key", "create", "brief", "--user", user).ok();
    Credentials key = Credentials.apiKey(LaunchedNode.told("encoded", made));
    Request whoami = Request.of("GET", "/_millrace/access/whoami");
    try (ClusterClient first = node.secured(0, key);
        ClusterClient second = node.secured(1, key)) {
      for (ClusterClient each : List.of(first, second)) {
        assertEquals(200, each.send(whoami).status());
      }
      String path = "/_millrace/access/keys/" + LaunchedNode.told("id", made);
      Answer gone = client.send(Request.of("DELETE", path));
      assertEquals(200, gone.status(), gone.excerpt());
      for (ClusterClient each : List.of(first, second)) {
        assertEquals(401, each.send(whoami).status());
      }
    }
  }

  /** Asks on a new connection each time, until it is closed; no visit may fail. */
  private final class Visitor implements AutoCloseable {
    private final AtomicInteger visits = new AtomicInteger();
    private final AtomicBoolean goOn = new AtomicBoolean(true);
    private final FutureTask<Void> work = new FutureTask<>(this::visit);

    Visitor() {
      Thread.ofVirtual().start(work);
    }

    private Void visit() throws IOException {
      while (goOn.get()) {
        try (SSLSocket socket = connect()) {
          head(socket);
        }
        visits.incrementAndGet();
      }
      return null;
    }

    int visits() {
      return visits.get();
    }

    @Override
    public void close() throws Exception {
      goOn.set(false);
      work.get();
    }
  }

  private static void head(SSLSocket socket) throws IOException {
    socket
        .getOutputStream()
        .write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertEquals('H', socket.getInputStream().read(), "the connection is served");
  }

  private void renewalUnderAnOpenConnection(ClusterClient client) throws Exception {
    BigInteger before = shown();
    try (SSLSocket open = connect();
        Visitor visitor = new Visitor()) {
      assertEquals(before, serial(open));
      Await.until("visits before the change", LIMIT, () -> visitor.visits() > 5);
      node.millrace("certificates", "renew").ok();
      Await.until("the new certificate", LIMIT, () -> !shown().equals(before));
      head(open);
      int visits = visitor.visits();
      Await.until("visits after the change", LIMIT, () -> visitor.visits() > visits + 5);
    }
    Answer report = client.send(Request.of("GET", "/_millrace/certificates"));
    assertEquals(200, report.status(), report.excerpt());
    Answer health = client.send(Request.of("GET", "/_cluster/health?wait_for_nodes=2&timeout=60s"));
    assertEquals(2, health.json().path("number_of_nodes").asInt(), health.excerpt());
  }

  private SSLSocket connect() throws IOException {
    SSLSocket socket =
        (SSLSocket)
            TrustedCertificates.of(node.authority())
                .getSocketFactory()
                .createSocket("127.0.0.1", node.port());
    socket.setSoTimeout((int) LIMIT.toMillis());
    socket.startHandshake();
    return socket;
  }

  private BigInteger shown() throws IOException {
    try (SSLSocket socket = connect()) {
      return serial(socket);
    }
  }

  private static BigInteger serial(SSLSocket socket) throws IOException {
    return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
  }
}
