package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.ingest.FakeNode.Manner;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command against a node that misbehaves: nothing is lost, nothing silently twice. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class IngestCommandTest extends IngestCalls {
  @Test
  void documentsArriveUnchanged() throws IOException {
    try (FakeNode node = new FakeNode()) {
      String file = ndjson(2_500);
      Run run = ingest(node.url(), file, "--bulk-docs", "300");
      assertEquals(0, run.code(), run.err());
      assertEquals(2_500, run.summary().get("indexed").asInt());
      assertEquals(0, run.summary().get("possibly_twice").asInt());
      assertEquals(
          new HashSet<>(Files.readAllLines(Path.of(file))), new HashSet<>(node.documents()));
      assertTrue(node.bulks.get() >= 9);
      assertFalse(Files.exists(folder.resolve("dead.ndjson")));
    }
  }

  @Test
  void busyItemsAloneAreSentAgain() throws IOException {
    try (FakeNode node = new FakeNode().next(Manner.BUSY, Manner.HALF_BUSY, Manner.HALF_BUSY)) {
      Run run = ingest(node.url(), ndjson(1_000), "--bulk-docs", "1000", "--workers", "1");
      assertEquals(0, run.code(), run.err());
      assertEquals(1_000, node.documents().size());
      assertEquals(1_000 + 500 + 250, run.summary().get("retried").asInt());
      assertEquals(0, run.summary().get("possibly_twice").asInt());
    }
  }

  @Test
  void aLostAnswerLosesNothingAndIsCounted() throws IOException {
    try (FakeNode node = new FakeNode().next(Manner.LOSE_ANSWER)) {
      Run run = ingest(node.url(), ndjson(100));
      assertEquals(0, run.code(), run.err());
      assertEquals(100, run.summary().get("indexed").asInt());
      assertEquals(100, run.summary().get("possibly_twice").asInt());
      assertEquals(200, node.documents().size(), "the fake node took both");
      assertTrue(run.err().contains("--exactly-once"), run.err());
    }
  }

  @Test
  void aConflictOnAnIdOfTheServersOwnMeansItIsThere() throws IOException {
    try (FakeNode node = new FakeNode().next(Manner.TWICE_INSIDE)) {
      Run run = ingest(node.url(), ndjson(100));
      assertEquals(0, run.code(), run.err());
      assertEquals(100, node.documents().size());
      assertEquals(100, run.summary().get("already_there").asInt());
      assertEquals(0, run.summary().get("refused").asInt());
    }
  }

  @Test
  void aConflictOnTheUsersOwnIdIsRefused() throws IOException {
    try (FakeNode node = new FakeNode().next(Manner.TWICE_INSIDE)) {
      String bulk = "{\"create\":{\"_id\":\"7\"}}\n{\"a\":1}\n";
      Run run = ingest(node.url(), file("own.ndjson", bulk));
      assertEquals(1, run.code(), run.err());
      assertEquals(1, run.summary().get("refused").asInt());
    }
  }

  @Test
  void exactlyOnceSurvivesALostAnswerAndASecondRun() throws IOException {
    try (FakeNode node = new FakeNode().next(Manner.LOSE_ANSWER)) {
      String file = ndjson(100);
      Run run = ingest(node.url(), file, "--exactly-once");
      assertEquals(0, run.code(), run.err());
      assertEquals(100, node.documents().size());
      assertEquals(100, run.summary().get("already_there").asInt());
      assertEquals(0, run.summary().get("possibly_twice").asInt());
      Files.writeString(Path.of(file), "{\"new\":1}\n", java.nio.file.StandardOpenOption.APPEND);
      Run again = ingest(node.url(), file, "--exactly-once");
      assertEquals(101, node.documents().size());
      assertEquals(1, again.summary().get("indexed").asInt());
    }
  }

  @Test
  void equalLinesKeepIdsOfTheirOwn() throws IOException {
    try (FakeNode node = new FakeNode()) {
      ingest(
          node.url(), file("same.ndjson", "{\"a\":1}\n{\"a\":1}\n{\"a\":1}\n"), "--exactly-once");
      assertEquals(3, node.documents().size());
    }
  }

  @Test
  void theLoadGoesOnWhenItsNodeDies() throws IOException {
    FakeNode first = new FakeNode();
    try (FakeNode second = new FakeNode()) {
      first.close();
      Run run = ingest(first.url() + "," + second.url(), ndjson(500), "--bulk-docs", "50");
      assertEquals(0, run.code(), run.err());
      assertEquals(500, second.documents().size());
      assertEquals(0, run.summary().get("possibly_twice").asInt(), "refused is not ambiguous");
    }
  }

  @Test
  void refusedDocumentsAreKeptWithTheirReasons() throws IOException {
    try (FakeNode node = new FakeNode().always(Manner.PICKY)) {
      Run run =
          ingest(
              node.url(),
              file("d.ndjson", "{\"n\":1}\n{\"n\":\"poison\"}\n\nno json\n{\"n\":3}\n"),
              "--format",
              "NDJSON");
      assertEquals(1, run.code());
      assertEquals(4, run.summary().get("read").asInt());
      assertEquals(2, run.summary().get("indexed").asInt());
      assertEquals(2, run.summary().get("refused").asInt());
      List<JsonNode> letters = deadLetters();
      assertEquals(2, letters.size());
      JsonNode poison =
          letters.stream()
              .filter(l -> l.get("type").asText().startsWith("mapper"))
              .findFirst()
              .orElseThrow();
      assertEquals(2, poison.get("line").asInt());
      assertEquals("{\"n\":\"poison\"}", poison.get("document").asText());
      assertTrue(
          poison.get("reason").asText().endsWith("failed to parse field [n]: For input string"));
      assertTrue(run.err().contains("line 2"), run.err());
    }
  }

  @Test
  void aBulkThatFailsAsAWholeIsHalvedToTheBadItem() throws IOException {
    try (FakeNode node = new FakeNode().always(Manner.ALL_OR_NOTHING)) {
      String text = "{\"n\":1}\n".repeat(20) + "{\"n\":\"poison\"}\n" + "{\"n\":2}\n".repeat(20);
      Run run = ingest(node.url(), file("d.ndjson", text));
      assertEquals(1, run.code());
      assertEquals(40, node.documents().size());
      assertEquals(21, deadLetters().get(0).get("line").asInt());
    }
  }

  @Test
  void aFullDiskIsNamedAndTheRunStopsInTime() throws IOException {
    try (FakeNode node = new FakeNode().always(Manner.FLOOD_STAGE)) {
      Run run = ingest(node.url(), ndjson(10), "--retry-for", "1");
      assertEquals(6, run.code());
      assertTrue(run.err().contains("disk is full"), run.err());
      assertTrue(run.err().contains("gave up after 1 s"), run.err());
      assertEquals(10, run.summary().get("not_acknowledged").asInt());
      assertEquals(10, deadLetters().size(), "nothing is dropped");
    }
  }

  @Test
  void aFullDiskThatIsFreedInTimeCostsNothing() throws IOException {
    try (FakeNode node = new FakeNode().next(Manner.FLOOD_STAGE, Manner.FLOOD_STAGE)) {
      Run run = ingest(node.url(), ndjson(10));
      assertEquals(0, run.code(), run.err());
      assertEquals(10, node.documents().size());
    }
  }

  @Test
  void anInterruptedLoadEndsSoonAndAccountsForEveryDocument() throws IOException {
    try (FakeNode node = new FakeNode().always(Manner.BUSY)) {
      Counters counters = new Counters();
      PrintWriter err = new PrintWriter(new StringWriter());
      DeadLetters dead = new DeadLetters(folder.resolve("dead.ndjson"), err);
      LoaderOptions options =
          new LoaderOptions(
              "x",
              null,
              1 << 20,
              2,
              2,
              java.time.Duration.ofSeconds(60),
              java.time.Duration.ofSeconds(300));
      ClusterClient cluster = new ClusterClient(ClientOptions.of(List.of(node.url())));
      BulkLoader loader = new BulkLoader(cluster, options, counters, dead, err, false);
      for (int i = 0; i < 9; i++) {
        loader.add("t", i, batch -> batch.body().raw("{\"create\":{}}\n{\"a\":1}\n"));
      }
      loader.hurry(java.time.Duration.ofMillis(100));
      loader.close();
      dead.close();
      assertEquals(9, counters.unsent.sum());
      assertEquals(9, deadLetters().size());
      assertEquals(130, java.util.Objects.requireNonNull(loader.failure()).exitCode());
    }
  }

  @Test
  void noPermissionStopsAtOnce() throws IOException {
    try (FakeNode node = new FakeNode().always(Manner.UNAUTHORIZED)) {
      Run run = ingest(node.url(), ndjson(10));
      assertEquals(6, run.code());
      assertTrue(run.err().contains("--user"), run.err());
    }
  }

  @Test
  void anAnswerThatIsNoneIsTriedAgain() throws IOException {
    try (FakeNode node = new FakeNode().next(Manner.GARBAGE)) {
      Run run = ingest(node.url(), ndjson(10));
      assertEquals(0, run.code(), run.err());
      assertEquals(10, run.summary().get("possibly_twice").asInt());
    }
  }

  @Test
  void aWrongPortSaysSo() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Run run = ingest("http://127.0.0.1:" + port, ndjson(1));
    assertEquals(3, run.code());
    assertTrue(run.err().contains("nothing listens at http://127.0.0.1:" + port), run.err());
    assertFalse(run.err().contains("\tat "), run.err());
  }

  @Test
  void aForeignServiceIsNamed() throws IOException {
    HttpServer web =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Server", "someweb/1.0");
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("<html>hello</html>".getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    web.start();
    try {
      Run run = ingest("http://127.0.0.1:" + web.getAddress().getPort(), ndjson(1));
      assertEquals(6, run.code());
      assertTrue(run.err().contains("another service, not OpenSearch"), run.err());
      assertTrue(run.err().contains("someweb/1.0") && run.err().contains("hello"), run.err());
    } finally {
      web.stop(0);
    }
  }

  @Test
  void aServiceThatIsNoHttpIsNamed() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread greeter =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try (var connection = socket.accept()) {
                  connection
                      .getOutputStream()
                      .write("SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII));
                  connection.getInputStream().read();
                } catch (IOException e) {
                  // the test is over
                }
              });
      Run run = ingest("http://127.0.0.1:" + socket.getLocalPort(), ndjson(1));
      assertEquals(6, run.code());
      assertTrue(run.err().contains("does not answer as OpenSearch"), run.err());
      greeter.interrupt();
    }
  }

  @Test
  void wrongOptionsAreUsageErrors() throws IOException {
    assertEquals(2, ingest("http://127.0.0.1:1", "--no-such-option", "x").code());
    assertEquals(2, ingest("http://127.0.0.1:1").code(), "no file");
    assertEquals(2, ingest("ftp://x", ndjson(1)).code());
    assertEquals(2, ingest("http://127.0.0.1:1", ndjson(1), "--bulk-size", "lots").code());
    assertEquals(2, ingest("http://127.0.0.1:1", ndjson(1), "--zone", "Mars/Base").code());
    assertEquals(2, ingest("http://127.0.0.1:1", ndjson(1), "--workers", "65").code());
    assertEquals(2, ingest("http://127.0.0.1:1", "-", "--follow").code());
  }

  @Test
  void defaultsAreStated() {
    LoaderOptions options = LoaderOptions.defaults("x");
    assertEquals(4 << 20, options.bulkBytes());
    assertEquals(10_000, options.bulkDocuments());
    assertEquals(2, options.workers());
    assertEquals(60, options.requestTimeout().toSeconds());
    assertEquals(300, options.retryFor().toSeconds());
    assertEquals("logs-millrace", IngestCommand.DEFAULT_INDEX);
  }
}
