package io.millrace.cli.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cli.ingest.FakeNode.Manner;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which addresses documents and the password are sent to. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ClusterTest {
  private final StringWriter err = new StringWriter();

  private Cluster sniffed(FakeNode given) {
    Cluster cluster = new Cluster(List.of(given.url()), "me:secret");
    cluster.check();
    cluster.sniff(new PrintWriter(err));
    return cluster;
  }

  private static Cluster.Answer bulk(Cluster cluster)
      throws Cluster.NoAnswer, InterruptedException {
    byte[] body = "{\"create\":{}}\n{\"a\":1}\n".getBytes(StandardCharsets.US_ASCII);
    return cluster.send(
        "POST", "/x/_bulk", body, body.length, "application/x-ndjson", Duration.ofSeconds(60));
  }

  private static void bulks(Cluster cluster, int count)
      throws Cluster.NoAnswer, InterruptedException {
    for (int i = 0; i < count; i++) {
      assertEquals(200, bulk(cluster).status());
    }
  }

  @Test
  void theOtherNodesOfTheClusterTakeTheirShare() throws Exception {
    try (FakeNode first = new FakeNode();
        FakeNode second = new FakeNode()) {
      first.publish(first.address(), second.address());
      bulks(sniffed(first), 10);
      assertEquals(5, first.bulks.get());
      assertEquals(5, second.bulks.get());
      assertEquals("", err.toString());
    }
  }

  @Test
  void anotherClusterAtAPublishedAddressGetsNeitherDocumentsNorThePassword() throws Exception {
    try (FakeNode first = new FakeNode();
        FakeNode foreign = new FakeNode().uuid("another")) {
      first.publish(first.address(), foreign.address());
      bulks(sniffed(first), 10);
      assertEquals(10, first.bulks.get());
      assertEquals(List.of("GET /"), foreign.requests);
      assertEquals(List.of(), foreign.passwords);
      String said = err.toString();
      assertTrue(said.contains(foreign.url() + " (another cluster or service"), said);
    }
  }

  @Test
  void behindATunnelTheNodeThatHappensToListenHereIsNotEvenAsked() throws Exception {
    try (FakeNode tunnel = new FakeNode();
        FakeNode local = new FakeNode().uuid("another")) {
      tunnel.publish(local.address());
      bulks(sniffed(tunnel), 10);
      assertEquals(10, tunnel.bulks.get());
      assertEquals(List.of(), local.requests);
    }
  }

  @Test
  void overPlainHttpThePasswordIsNotGivenInExchangeForTheUuid() throws Exception {
    try (FakeNode first = new FakeNode().locked();
        FakeNode second = new FakeNode().locked()) {
      first.publish(first.address(), second.address());
      bulks(sniffed(first), 10);
      assertEquals(10, first.bulks.get());
      assertEquals(List.of(), second.passwords);
      assertTrue(err.toString().contains(second.url() + " (it wants a password"), err.toString());
    }
  }

  @Test
  void aNodeWithoutAClusterProvesNothing() throws Exception {
    try (FakeNode first = new FakeNode().uuid("_na_");
        FakeNode second = new FakeNode().uuid("_na_")) {
      first.publish(first.address(), second.address());
      bulks(sniffed(first), 4);
      assertEquals(4, first.bulks.get());
      assertEquals(List.of(), second.requests);
    }
    try (FakeNode first = new FakeNode();
        FakeNode second = new FakeNode().uuid("_na_")) {
      first.publish(first.address(), second.address());
      bulks(sniffed(first), 4);
      assertEquals(List.of("GET /"), second.requests);
    }
  }

  @Test
  void anAddressWhereNobodyAnswersIsLeftOut() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    try (FakeNode first = new FakeNode()) {
      first.publish(first.address(), "127.0.0.1:" + port);
      Cluster cluster = sniffed(first);
      assertEquals(1, cluster.size());
      bulks(cluster, 4);
      assertTrue(err.toString().contains(port + " (no answer)"), err.toString());
    }
  }

  @Test
  void afterAFailureAnAddressHasToProveItselfAgain() throws Exception {
    try (FakeNode first = new FakeNode();
        FakeNode second = new FakeNode().next(Manner.LOSE_ANSWER)) {
      first.publish(first.address(), second.address());
      Cluster cluster = sniffed(first);
      bulks(cluster, 1);
      Cluster.NoAnswer lost = assertThrows(Cluster.NoAnswer.class, () -> bulk(cluster));
      assertTrue(lost.ambiguous);
      second.uuid("another"); // somebody else has the address now
      int passwords = second.passwords.size();
      awaitRefusal(cluster);
      bulks(cluster, 10);
      assertEquals(1, cluster.size());
      assertEquals(1, second.bulks.get());
      assertEquals(passwords, second.passwords.size());
    }
  }

  /** Sends until the address has rested and is dropped; bounded by the class's timeout. */
  private static void awaitRefusal(Cluster cluster) throws InterruptedException {
    while (true) {
      try {
        bulk(cluster);
        TimeUnit.MILLISECONDS.sleep(10);
      } catch (Cluster.NoAnswer e) {
        assertFalse(e.ambiguous, "nothing was sent");
        return;
      }
    }
  }

  @Test
  void aNodeThatComesBackIsUsedAgain() throws Exception {
    try (FakeNode first = new FakeNode();
        FakeNode second = new FakeNode().next(Manner.LOSE_ANSWER)) {
      first.publish(first.address(), second.address());
      Cluster cluster = sniffed(first);
      bulks(cluster, 1);
      assertThrows(Cluster.NoAnswer.class, () -> bulk(cluster));
      while (second.bulks.get() < 2) {
        bulks(cluster, 1);
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertEquals(2, cluster.size());
    }
  }
}
