package io.millrace.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which addresses documents and the password are sent to. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SniffedAddressesTest {
  private final List<String> notes = new ArrayList<>();

  private ClusterClient sniffed(ListeningNode given) {
    ClusterClient cluster =
        new ClusterClient(
            ClientOptions.of(List.of(given.url())).credentials(Credentials.basic("me:secret")));
    cluster.check();
    cluster.sniff(notes::add);
    return cluster;
  }

  private static Answer bulk(ClusterClient cluster) throws NoAnswerException, InterruptedException {
    byte[] body = "{\"create\":{}}\n{\"a\":1}\n".getBytes(StandardCharsets.US_ASCII);
    return cluster.send(Request.of("POST", "/x/_bulk", body, Request.NDJSON));
  }

  private static void bulks(ClusterClient cluster, int count)
      throws NoAnswerException, InterruptedException {
    for (int i = 0; i < count; i++) {
      assertEquals(200, bulk(cluster).status());
    }
  }

  @Test
  void theOtherNodesOfTheClusterTakeTheirShare() throws Exception {
    try (ListeningNode first = new ListeningNode();
        ListeningNode second = new ListeningNode()) {
      first.publish(first.address(), second.address());
      bulks(sniffed(first), 10);
      assertEquals(5, first.posts.get());
      assertEquals(5, second.posts.get());
      assertEquals(List.of(), notes);
    }
  }

  @Test
  void anotherClusterAtAPublishedAddressGetsNeitherDocumentsNorThePassword() throws Exception {
    try (ListeningNode first = new ListeningNode();
        ListeningNode foreign = new ListeningNode().uuid("another")) {
      first.publish(first.address(), foreign.address());
      bulks(sniffed(first), 10);
      assertEquals(10, first.posts.get());
      assertEquals(List.of("GET /"), foreign.requests);
      assertEquals(List.of(), foreign.passwords);
      String said = notes.toString();
      assertTrue(said.contains(foreign.url() + " (another cluster or service"), said);
    }
  }

  @Test
  void behindATunnelTheNodeThatHappensToListenHereIsNotEvenAsked() throws Exception {
    try (ListeningNode tunnel = new ListeningNode();
        ListeningNode local = new ListeningNode().uuid("another")) {
      tunnel.publish(local.address());
      bulks(sniffed(tunnel), 10);
      assertEquals(10, tunnel.posts.get());
      assertEquals(List.of(), local.requests);
    }
  }

  @Test
  void overPlainHttpThePasswordIsNotGivenInExchangeForTheUuid() throws Exception {
    try (ListeningNode first = new ListeningNode().locked();
        ListeningNode second = new ListeningNode().locked()) {
      first.publish(first.address(), second.address());
      bulks(sniffed(first), 10);
      assertEquals(10, first.posts.get());
      assertEquals(List.of(), second.passwords);
      assertTrue(
          notes.toString().contains(second.url() + " (it wants a password"), notes.toString());
    }
  }

  @Test
  void aNodeWithoutAClusterProvesNothing() throws Exception {
    try (ListeningNode first = new ListeningNode().uuid("_na_");
        ListeningNode second = new ListeningNode().uuid("_na_")) {
      first.publish(first.address(), second.address());
      bulks(sniffed(first), 4);
      assertEquals(4, first.posts.get());
      assertEquals(List.of(), second.requests);
    }
    try (ListeningNode first = new ListeningNode();
        ListeningNode second = new ListeningNode().uuid("_na_")) {
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
    try (ListeningNode first = new ListeningNode()) {
      first.publish(first.address(), "127.0.0.1:" + port);
      ClusterClient cluster = sniffed(first);
      assertEquals(1, cluster.size());
      bulks(cluster, 4);
      assertTrue(notes.toString().contains(port + " (no answer)"), notes.toString());
    }
  }

  @Test
  void afterAFailureAnAddressHasToProveItselfAgain() throws Exception {
    try (ListeningNode first = new ListeningNode();
        ListeningNode second = new ListeningNode().loseAnswer()) {
      first.publish(first.address(), second.address());
      ClusterClient cluster = sniffed(first);
      bulks(cluster, 1);
      NoAnswerException lost = assertThrows(NoAnswerException.class, () -> bulk(cluster));
      assertTrue(lost.ambiguous());
      second.uuid("another"); // somebody else has the address now
      int passwords = second.passwords.size();
      awaitRefusal(cluster);
      bulks(cluster, 10);
      assertEquals(1, cluster.size());
      assertEquals(1, second.posts.get());
      assertEquals(passwords, second.passwords.size());
    }
  }

  /** Sends until the address has rested and is dropped; bounded by the class's timeout. */
  private static void awaitRefusal(ClusterClient cluster) throws InterruptedException {
    while (true) {
      try {
        bulk(cluster);
        TimeUnit.MILLISECONDS.sleep(10);
      } catch (NoAnswerException e) {
        assertFalse(e.ambiguous(), "nothing was sent");
        return;
      }
    }
  }

  @Test
  void aNodeThatComesBackIsUsedAgain() throws Exception {
    try (ListeningNode first = new ListeningNode();
        ListeningNode second = new ListeningNode().loseAnswer()) {
      first.publish(first.address(), second.address());
      ClusterClient cluster = sniffed(first);
      bulks(cluster, 1);
      assertThrows(NoAnswerException.class, () -> bulk(cluster));
      while (second.posts.get() < 2) {
        bulks(cluster, 1);
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertEquals(2, cluster.size());
    }
  }
}
