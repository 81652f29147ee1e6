package io.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script that systemd's watchdog listens to, as it is, with a {@code systemd-notify} that only
 * counts and a port that behaves like a node in trouble. Nothing is measured in seconds: what must
 * happen is awaited, and what must not is proven by what happened after it.
 */
@Timeout(100)
class WatchdogScriptTest {
  private static final Path SCRIPT =
      Path.of("../distribution/src/main/dist/bin/opensearch-watchdog").toAbsolutePath().normalize();
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final int WAIT_MILLIS = 30_000;
  private static final byte[] STATUS = "HTTP/1.0 503 x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path dir = Path.of("");
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void aNotifierThatCounts() throws IOException {
    Path notify = Files.createDirectories(dir.resolve("bin")).resolve("systemd-notify");
    Files.writeString(notify, "#!/bin/sh\necho \"$*\" >> '" + told() + "'\n");
    assertTrue(notify.toFile().setExecutable(true));
    Files.writeString(told(), "");
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    }
  }

  private Path told() {
    return dir.resolve("told");
  }

  private long notified() throws IOException {
    List<String> lines = Files.readAllLines(told());
    lines.forEach(line -> assertEquals("WATCHDOG=1", line));
    return lines.size();
  }

  private void awaitNotified(long count) throws Exception {
    while (notified() < count) {
      Thread.sleep(20);
    }
  }

  private Process started(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** The script, watching a process that only sleeps. */
  private Process watch(int port, int seconds, Map<String, String> env) throws IOException {
    Process node = started(new ProcessBuilder("sleep", "300"));
    ProcessBuilder builder =
        new ProcessBuilder("bash", SCRIPT.toString(), Long.toString(node.pid()))
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("journal").toFile());
    builder.environment().put("PATH", dir.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("WATCHDOG_USEC", Long.toString(seconds * 1_000_000L));
    builder.environment().put("OPENSEARCH_HTTP_PORT", Integer.toString(port));
    builder.environment().remove("OPENSEARCH_HTTP_HOST");
    builder.environment().putAll(env);
    return started(builder);
  }

  /** Waiting for a question that never comes ends: no time-out of JUnit's interrupts that. */
  private static <S extends ServerSocket> S bounded(S server) throws IOException {
    server.setSoTimeout(WAIT_MILLIS);
    return server;
  }

  private static ServerSocket listen() throws IOException {
    return bounded(new ServerSocket(0, 50, HERE));
  }

  /** Reads the question, as a server does before it decides what to make of it. */
  private static Socket asked(ServerSocket server) throws IOException {
    Socket client = server.accept();
    client.setSoTimeout(WAIT_MILLIS);
    String question = new String(client.getInputStream().readNBytes(19), StandardCharsets.US_ASCII);
    assertEquals("HEAD / HTTP/1.0\r\n\r\n", question);
    return client;
  }

  private static void answer(ServerSocket server) throws IOException {
    try (Socket client = asked(server)) {
      client.getOutputStream().write(STATUS);
    }
  }

  @Test
  void anAnswerThatComesAfterTheNextQuestionStillCounts() throws Exception {
    try (ServerSocket server = listen()) {
      watch(server.getLocalPort(), 16, Map.of());
      answer(server);
      awaitNotified(1);
      // a pause of the node: the script is not held up by it, nor does it give the question up
      try (Socket slow = asked(server);
          Socket next = asked(server)) {
        assertEquals(1, notified());
        slow.getOutputStream().write(STATUS);
        slow.shutdownOutput();
        awaitNotified(2);
        assertTrue(next.isConnected());
      }
    }
  }

  @Test
  void aTlsPortIsAskedByAHandshake() throws Exception {
    Path keys = dir.resolve("keys.p12");
    String keytoolPath = Path.of(System.getProperty("java.home"), "bin/keytool").toString();
    Process keytool =
        started(
            new ProcessBuilder(
                "bash",
                "-c",
                "'"
                    + keytoolPath
                    + "' -genkeypair -alias a -keyalg EC -dname CN=a -storetype PKCS12"
                    + " -storepass secret -keystore '"
                    + keys
                    + "' 2> /dev/null"));
    assertEquals(0, keytool.waitFor());
    KeyStore store = KeyStore.getInstance(keys.toFile(), "secret".toCharArray());
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, "secret".toCharArray());
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(factory.getKeyManagers(), null, null);
    try (ServerSocket server =
        bounded(tls.getServerSocketFactory().createServerSocket(0, 50, HERE))) {
      watch(server.getLocalPort(), 4, Map.of());
      List<String> refused = new ArrayList<>();
      while (notified() < 3 && refused.size() < 3) {
        SSLSocket client = (SSLSocket) server.accept();
        client.setSoTimeout(WAIT_MILLIS);
        try (client) {
          client.startHandshake();
        } catch (IOException e) {
          // the script has what it wanted and went; but the first question is no TLS at all
          if (String.valueOf(e.getMessage()).contains("unrecognized SSL message")) {
            refused.add(e.getMessage());
          }
        }
      }
      assertEquals(1, refused.size(), refused.toString());
    }
  }

  @Test
  void aNodeThatOnlyClosesWhatItServedBeforeIsFound() throws Exception {
    try (ServerSocket server = listen()) {
      watch(server.getLocalPort(), 4, Map.of());
      answer(server);
      awaitNotified(1);
      // no memory for a request: its connection is closed
      for (int i = 0; i < 4; i++) {
        asked(server).close();
      }
      assertEquals(1, notified());
    }
  }

  @Test
  void aNodeThatStopsIsFound() throws Exception {
    try (ServerSocket server = listen()) {
      watch(server.getLocalPort(), 4, Map.of());
      answer(server);
      awaitNotified(1);
      answer(server);
      awaitNotified(2);
      // from here on as a stopped process: the kernel accepts, nobody answers
      List<Socket> questions = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        questions.add(asked(server));
      }
      assertEquals(2, notified(), "longer than systemd's patience");
      // the script gave the first up: a later answer would be none
      assertEquals(-1, questions.getFirst().getInputStream().read());
      assertEquals(2, notified());
      for (Socket question : questions) {
        question.close();
      }
    }
  }

  @Test
  void aNodeThatNeverAnsweredAConnectionIsFound() throws Exception {
    try (ServerSocket server = listen()) {
      watch(server.getLocalPort(), 4, Map.of());
      List<Socket> questions = new ArrayList<>();
      // it cannot know yet whether the port speaks TLS, and asks both ways
      for (int i = 0; i < 11; i++) {
        questions.add(server.accept());
      }
      assertEquals(0, notified());
      for (Socket question : questions) {
        question.close();
      }
    }
  }

  @Test
  void theKernelsResetIsNoLife() throws Exception {
    try (ServerSocket server = listen()) {
      watch(server.getLocalPort(), 4, Map.of());
      answer(server);
      awaitNotified(1);
      // tcp_abort_on_overflow does this for a process that is stopped
      for (int i = 0; i < 4; i++) {
        Socket client = asked(server);
        client.setSoLinger(true, 0);
        client.close();
      }
      assertEquals(1, notified());
    }
  }

  @Test
  void anAddressThatIsNotTheNodesKillsNobodyAndIsSaidOnce() throws Exception {
    int port;
    try (ServerSocket server = listen()) {
      port = server.getLocalPort();
    }
    Process script = watch(port, 1, Map.of());
    awaitNotified(2);
    Path journal = dir.resolve("journal");
    while (Files.size(journal) == 0) {
      Thread.sleep(20);
    }
    awaitNotified(notified() + 3);
    String said = Files.readString(journal);
    assertEquals(1, said.lines().count(), said);
    assertTrue(said.contains("127.0.0.1 port " + port), said);
    assertTrue(said.contains("OPENSEARCH_HTTP_HOST"), said);
    assertTrue(script.isAlive());
  }

  @Test
  void aRefusedConnectionIsSilenceOnceThereWasOne() throws Exception {
    // every question goes through `timeout`: that is how they are counted
    Path timeout = dir.resolve("bin/timeout");
    Path asked = Files.writeString(dir.resolve("asked"), "");
    Files.writeString(
        timeout, "#!/bin/bash\necho x >> '" + asked + "'\nPATH=${PATH#*:}\nexec timeout \"$@\"\n");
    assertTrue(timeout.toFile().setExecutable(true));
    Process script;
    try (ServerSocket server = listen()) {
      script = watch(server.getLocalPort(), 4, Map.of());
      answer(server);
      awaitNotified(1);
      answer(server);
      awaitNotified(2);
    }
    long before = Files.readAllLines(asked).size();
    while (Files.readAllLines(asked).size() < before + 4) {
      Thread.sleep(20);
    }
    assertEquals(2, notified());
    started.getFirst().destroyForcibly();
    assertTrue(script.waitFor(60, TimeUnit.SECONDS), "it ends with the node");
    assertEquals(2, notified());
  }

  @Test
  void theHostCanBeNamed() throws Exception {
    try (ServerSocket server =
        bounded(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.7")))) {
      watch(server.getLocalPort(), 4, Map.of("OPENSEARCH_HTTP_HOST", "127.0.0.7"));
      answer(server);
      awaitNotified(1);
    }
  }
}
