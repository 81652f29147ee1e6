package io.millrace.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of requests and answers, and failures in words. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ClusterClientTest {
  private static ClientOptions at(String url) {
    return ClientOptions.of(List.of(url));
  }

  private static ExpectedFailure failure(ClientOptions options) {
    return assertThrows(
        ExpectedFailure.class,
        () -> {
          try (ClusterClient client = new ClusterClient(options)) {
            client.check();
          }
        });
  }

  @Test
  void defaultsAreStated() {
    ClientOptions options = ClientOptions.local(9200);
    assertEquals(List.of("http://127.0.0.1:9200"), options.urls());
    assertEquals(Duration.ofSeconds(5), options.connectTimeout());
    assertEquals(Duration.ofSeconds(60), options.requestTimeout());
    assertEquals(100L << 20, options.maxAnswerBytes());
  }

  @Test
  void aStatusIsAnAnswerWithItsReason() throws Exception {
    try (ListeningNode node = new ListeningNode();
        ClusterClient client = new ClusterClient(at(node.url()))) {
      Answer answer = client.send(Request.of("GET", "/x"));
      assertEquals(404, answer.status());
      assertEquals("no such index [x]", answer.reason());
      assertEquals(Optional.empty(), client.find("/x"));
    }
  }

  @Test
  void anAnswerPastItsLimitIsNone() throws Exception {
    try (ListeningNode node = new ListeningNode();
        ClusterClient client = new ClusterClient(at(node.url()).maxAnswerBytes(100_001));
        ClusterClient wide = new ClusterClient(at(node.url()).maxAnswerBytes(100_003))) {
      NoAnswerException cut =
          assertThrows(NoAnswerException.class, () -> client.send(Request.of("GET", "/long")));
      assertTrue(cut.ambiguous());
      assertTrue(
          cut.getMessage().contains("the answer is longer than 100001 bytes"), cut.getMessage());
      assertEquals(100_003, wide.send(Request.of("GET", "/long")).body().length);
      assertEquals(200, client.send(Request.of("GET", "/")).status(), "the next one is served");
    }
  }

  /** A limit that ends with the head of the answer would let its body take for ever. */
  @Test
  void anAnswerThatNeverEndsIsNotWaitedFor() throws Exception {
    try (ServerSocket endless = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ClusterClient client = new ClusterClient(ClientOptions.local(endless.getLocalPort()))) {
      Thread.ofVirtual()
          .start(() -> {
            try (Socket socket = endless.accept()) {
              OutputStream out = socket.getOutputStream();
              out.write(
                  "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
                      .getBytes(StandardCharsets.US_ASCII));
              while (true) {
                out.write(' ');
                out.flush();
                Thread.sleep(20);
              }
            } catch (IOException | InterruptedException e) {
              // the client has gone
            }
          });
      Request request = Request.of("GET", "/").within(Duration.ofMillis(300));
      NoAnswerException late = assertThrows(NoAnswerException.class, () -> client.send(request));
      assertTrue(late.ambiguous());
      assertTrue(late.getMessage().contains("did not end within 300 ms"), late.getMessage());
      assertInstanceOf(HttpTimeoutException.class, late.getCause());
    }
  }

  @Test
  void aServiceThatSaysNothingIsNotWaitedForEver() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ClusterClient client = new ClusterClient(ClientOptions.local(silent.getLocalPort()))) {
      Request request = Request.of("GET", "/").within(Duration.ofMillis(200));
      assertTrue(assertThrows(NoAnswerException.class, () -> client.send(request)).ambiguous());
    }
  }

  @Test
  void nobodyListening() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    ExpectedFailure failure = failure(ClientOptions.local(port));
    assertEquals(ExitCode.NOT_RUNNING, failure.exitCode());
    assertEquals("nothing listens at http://127.0.0.1:" + port, failure.getMessage());
    assertEquals(Optional.empty(), Health.ofLocal(port, Duration.ofSeconds(2)));
  }

  @Test
  void aUserNameInTheAddressIsTakenOutAndUsed() throws Exception {
    try (ListeningNode node = new ListeningNode().locked();
        ClusterClient client =
            new ClusterClient(at(node.url().replace("http://", "http://me:secret@") + "/"))) {
      client.check();
      assertEquals(node.url(), client.given());
      assertEquals(List.of("Basic bWU6c2VjcmV0"), node.passwords);
    }
  }

  @Test
  void withoutAPasswordTheRefusalSaysHowToGiveOne() throws Exception {
    try (ListeningNode node = new ListeningNode().locked()) {
      ExpectedFailure failure = failure(at(node.url()));
      assertEquals(ExitCode.CLUSTER, failure.exitCode());
      assertTrue(String.valueOf(failure.remedy()).contains("--user NAME:PASSWORD"));
    }
  }

  @Test
  void noUrlNamesItself() {
    ExpectedFailure failure = failure(at("ftp://x"));
    assertEquals(ExitCode.USAGE, failure.exitCode());
    assertEquals("[ftp://x] is not a URL", failure.getMessage());
    assertRefused("http://x:9200/?pretty", "[http://x:9200/?pretty] has a query");
    assertRefused("my_node:9200", "[my_node:9200] has an underscore in its host");
    assertRefused("x:99999", "[x:99999] has port 99999; 65535 is the last");
    assertRefused("::1:9200", "[::1:9200] is not a URL");
    assertRefused("http://me:secret@my_node", "[http://my_node] has an underscore in its host");
  }

  private static void assertRefused(String url, String message) {
    ExpectedFailure failure = failure(at(url));
    assertEquals(ExitCode.USAGE, failure.exitCode());
    assertTrue(String.valueOf(failure.getMessage()).startsWith(message), failure.getMessage());
  }

  @Test
  void aHostThatNobodyKnowsIsNotOneOnWhichNothingListens() {
    ConnectException unknown = new ConnectException();
    unknown.initCause(new UnresolvedAddressException());
    ExpectedFailure failure =
        new NoAnswerException(false, "nowhere", unknown).asFailure("http://nowhere:9200");
    assertEquals(ExitCode.NOT_RUNNING, failure.exitCode());
    assertEquals("no host of this name is known here: http://nowhere:9200", failure.getMessage());
  }

  @Test
  void credentialsDoNotPrintTheirSecret() {
    Credentials credentials = Credentials.basic("me:secret");
    assertEquals("Basic ...", credentials.toString());
    assertFalse(at("http://x").credentials(credentials).toString().contains("bWU6"));
  }
}
