package io.millrace.guard.http;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.guard.http.Wire.Response;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/**
 * Both budgets whatever is spoken: bodies without a length, pipelined bulks, HTTP/2 by prior
 * knowledge and by upgrade. TLS: {@link TlsNodeTests}, which repeats these.
 */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public class ProtocolNodeTests extends GuardedNodeTestCase {
  /** A connected socket for HTTP/1.1. */
  protected Socket http1() throws IOException {
    Socket socket = new Socket();
    socket.connect(http(), 60_000);
    return socket;
  }

  /** A connected socket for HTTP/2. */
  protected Socket http2() throws IOException {
    return http1();
  }

  private Wire wire1() throws IOException {
    return new Wire(http1(), http());
  }

  private static void chunk(Wire wire, String text) throws IOException {
    wire.send(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
  }

  private static Wire chunked(Wire wire, String index) throws IOException {
    return wire.send(
        "POST /"
            + index
            + "/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n");
  }

  public void testChunkedBodiesCountAsTheyGrow() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b"));
    try (Wire wire = wire1()) {
      chunked(wire, "grows");
      assertEquals(0, inbound("small_used"));
      String half = bulk(300_000);
      chunk(wire, half);
      await(() -> assertTrue(inbound("small_used") >= half.length()));
      chunk(wire, bulk(900_000));
      // more than small_body: the rest is charged to the large budget
      await(() -> assertTrue(inbound("large_used") > 0));
      assertTrue(inbound("small_used") + inbound("large_used") < 2 * MB + MB);
      wire.send("0\r\n\r\n");
      assertEquals(200, wire.response().status());
    }
  }

  public void testChunkedBodiesThatDoNotFitAreServedOneAfterAnother() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(INBOUND + "max_wait", "5m"));
    long refusals = inbound("refusals");
    List<Wire> wires = new ArrayList<>();
    List<Thread> senders = new ArrayList<>();
    Map<Integer, Integer> answers = new TreeMap<>();
    try {
      String piece = bulk(100_000);
      for (int i = 0; i < 8; i++) {
        Wire wire = wire1();
        wires.add(wire);
        Thread sender =
            new Thread(() -> {
              int status;
              try {
                chunked(wire, "crowd");
                for (int n = 0; n < 30; n++) {
                  chunk(wire, piece);
                }
                wire.send("0\r\n\r\n");
                status = wire.response().status();
              } catch (IOException e) {
                status = 0;
              }
              synchronized (answers) {
                answers.merge(status, 1, Integer::sum);
              }
            });
        senders.add(sender);
        sender.start();
      }
      for (Thread sender : senders) {
        sender.join(120_000);
      }
    } finally {
      for (Wire wire : wires) {
        wire.close();
      }
    }
    synchronized (answers) {
      assertEquals(Map.of(200, 8), answers);
    }
    assertEquals(0, inbound("refusals") - refusals);
    // each budget and one body, which reserves up to 1 MB more than it needs
    assertTrue("small " + inbound("small_peak"), inbound("small_peak") <= (2 + 1) * MB);
    assertTrue("large " + inbound("large_peak"), inbound("large_peak") <= (4 + 3 + 1) * MB);
  }

  public void testAChunkedBodyThatDoesNotFitIsRefused() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(INBOUND + "max_wait", "200ms"));
    long refusals = inbound("refusals");
    try (Wire beyond = wire1();
        Wire refused = wire1()) {
      beyond.post("/crowd/_bulk", 5 * MB, "{");
      await(() -> assertEquals(5 * MB, inbound("large_used")));
      chunked(refused, "crowd");
      String piece = bulk(100_000);
      for (int n = 0; n < 12; n++) {
        chunk(refused, piece);
      }
      Response response = refused.response();
      assertEquals(429, response.status());
      assertTrue(Integer.parseInt(response.headers().get("retry-after")) >= 1);
      assertEquals("close", response.headers().get("connection"));
      assertEquals(1, inbound("refusals") - refusals);
      assertEquals("what was gathered of it is free", 0, inbound("small_used"));
      assertEquals(5 * MB, inbound("large_used"));
    }
  }

  public void testPipelinedBulksAreAnsweredInOrder() throws Exception {
    String body = bulk(700_000);
    try (Wire wire = wire1()) {
      Thread sender =
          new Thread(() -> {
            try {
              for (int i = 0; i < 6; i++) {
                wire.send(
                    "POST /piped/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
                        + "X-Opaque-Id: bulk-"
                        + i
                        + "\r\nContent-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body);
              }
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
      sender.start();
      for (int i = 0; i < 6; i++) {
        Response response = wire.response();
        assertEquals(response.body(), 200, response.status());
        assertEquals("bulk-" + i, response.headers().get("x-opaque-id"));
      }
      sender.join();
    }
    assertTrue(inbound("small_peak") <= (2 + 1) * MB);
  }

  public void testAPipelinedBulkThatStallsHoldsOnlyItself() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(OUTBOUND + "pipelining", 2));
    String body = bulk(700_000);
    try (Wire wire = wire1()) {
      wire.post("/first/_bulk", body.length(), body);
      wire.post("/second/_bulk", 3 * MB, "{");
      assertEquals(200, wire.response().status());
      await(() -> assertEquals(0, inbound("small_used")));
      assertEquals(3 * MB, inbound("large_used"));
    }
  }

  public void testHttp2ServesAsStock() throws Exception {
    String body = bulk(300_000);
    try (Http2Wire wire = new Http2Wire(http2(), true)) {
      assertEquals(200, wire.status(wire.request("GET", "/_cluster/health", true)));
      int declared = wire.bulk("h2", body.length());
      wire.data(declared, body, true);
      assertEquals(200, wire.status(declared));
      assertTrue(wire.body(declared).contains("\"errors\":false"));
      int open = wire.bulk("h2", -1);
      wire.data(open, body, true);
      assertEquals(200, wire.status(open));
      // more than any window, many at once
      List<Integer> many = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        many.add(wire.request("GET", "/_cluster/settings?include_defaults=true", true));
      }
      for (int id : many) {
        assertEquals(200, wire.status(id));
        assertTrue(wire.body(id).endsWith("}"));
      }
    }
  }

  public void testHttp2StreamsReserveAndWait() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b"));
    long waits = inbound("waits");
    try (Http2Wire wire = new Http2Wire(http2(), true)) {
      List<Integer> stalled = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int id = wire.bulk("h2-stalled", 3 * MB);
        wire.data(id, "{\"index\":{}}\n", false);
        stalled.add(id);
      }
      await(() -> assertEquals(7, inbound("waits") - waits));
      assertEquals(3 * MB, inbound("large_used"));
      // others are served, on another connection and on this one
      try (Wire other = wire1()) {
        String body = bulk(200_000);
        assertEquals(200, other.post("/h2-other/_bulk", body.length(), body).response().status());
      }
      assertEquals(200, wire.status(wire.request("GET", "/", true)));
      // a stream that is given up lets the next one in
      wire.reset(stalled.getFirst());
      await(() -> assertEquals(6, inbound("waiting")));
      assertEquals(3 * MB, inbound("large_used"));
    }
  }

  public void testHttp2BodiesWithoutALengthCountAsTheyGrow() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b"));
    try (Http2Wire wire = new Http2Wire(http2(), true)) {
      int id = wire.bulk("h2-grows", -1);
      wire.data(id, bulk(300_000), false);
      await(() -> assertTrue(inbound("small_used") >= 300_000));
      wire.data(id, bulk(900_000), false);
      await(() -> assertTrue(inbound("large_used") > 0));
      wire.data(id, bulk(1000), true);
      assertEquals(200, wire.status(id));
    }
  }

  public void testHttp2RefusesOneStreamAndServesOn() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(INBOUND + "max_wait", "200ms"));
    try (Wire blocker = wire1();
        Http2Wire wire = new Http2Wire(http2(), true)) {
      blocker.post("/h2-blocked/_bulk", 3 * MB, "{");
      await(() -> assertEquals(3 * MB, inbound("large_used")));
      int refused = wire.bulk("h2-blocked", 2 * MB);
      assertEquals(429, wire.status(refused));
      assertTrue(Integer.parseInt(wire.header(refused, "retry-after")) >= 1);
      assertTrue(wire.body(refused).contains("inbound_budget_exceeded_exception"));
      assertTrue(wire.body(refused).contains("millrace.guard.inbound_budget.large"));
      assertEquals(200, wire.status(wire.request("GET", "/", true)));
    }
  }

  public void testHttp2ClosesTheStreamOfAStalledSender() throws Exception {
    // only in this test: in the others a sender that gets no core for a second must not be cut off
    set(Settings.builder().put(INBOUND + "floor_window", "1s"));
    long slow = inbound("slow_senders");
    try (Http2Wire wire = new Http2Wire(http2(), true)) {
      int stalled = wire.bulk("h2-slow", 3 * MB);
      wire.data(stalled, "{", false);
      assertEquals(429, wire.status(stalled));
      assertTrue(wire.body(stalled).contains("floor_rate"));
      assertEquals(1, inbound("slow_senders") - slow);
      await(() -> assertEquals(0, inbound("large_used")));
      assertEquals(200, wire.status(wire.request("GET", "/", true)));
    }
  }

  public void testHttp2ClosesTheStreamOfAPeerThatDoesNotRead() throws Exception {
    String body = bulk(900_000);
    try (Wire wire = wire1()) {
      assertEquals(200, wire.post("/h2-pages/_bulk", body.length(), body).response().status());
      assertEquals(
          200,
          wire.send("POST /h2-pages/_refresh HTTP/1.1\r\nHost: x\r\n\r\n").response().status());
    }
    set(Settings.builder().put(OUTBOUND + "stall_timeout", "5s"));
    long closed = outbound("stalled_readers");
    try (Http2Wire wire = new Http2Wire(http2(), false)) {
      int id = wire.request("GET", "/h2-pages/_search?size=800", true);
      await(() -> assertTrue(outbound("pending") > 500_000));
      wire.awaitReset(id);
      assertEquals(1, outbound("stalled_readers") - closed);
      await(() -> assertEquals(0, outbound("pending")));
    }
  }

  public void testUpgradeToHttp2() throws Exception {
    if (getClass() != ProtocolNodeTests.class) {
      return; // over TLS the protocol is agreed on before the first request
    }
    String body = bulk(300_000);
    URI node =
        URI.create("http://" + http().getAddress().getHostAddress() + ":" + http().getPort());
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
      HttpResponse<String> first =
          client.send(
              HttpRequest.newBuilder(node.resolve("/")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(200, first.statusCode());
      assertEquals(HttpClient.Version.HTTP_2, first.version());
      long peak = inbound("small_peak");
      HttpResponse<String> second =
          client.send(
              HttpRequest.newBuilder(node.resolve("/upgraded/_bulk"))
                  .header("content-type", "application/x-ndjson")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(second.body(), 200, second.statusCode());
      assertEquals(HttpClient.Version.HTTP_2, second.version());
      assertTrue(Math.max(peak, inbound("small_peak")) >= body.length());
    }
    // a body is not gathered in front of the gate: HTTP/1.1 serves it
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
      HttpResponse<String> only =
          client.send(
              HttpRequest.newBuilder(node.resolve("/upgraded/_bulk"))
                  .header("content-type", "application/x-ndjson")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(200, only.statusCode());
      assertEquals(HttpClient.Version.HTTP_1_1, only.version());
    }
  }
}
