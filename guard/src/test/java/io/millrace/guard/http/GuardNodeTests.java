package io.millrace.guard.http;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.guard.http.Wire.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Both budgets on the real HTTP server of one node, over sockets of our own. */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public class GuardNodeTests extends GuardedNodeTestCase {
  public void testServesAsStock() throws Exception {
    String body = bulk(300_000);
    try (Wire wire = wire()) {
      Response created = wire.post("/served/_bulk", body.length(), body).response();
      assertEquals(created.body(), 200, created.status());
      assertTrue(created.body().contains("\"errors\":false"));
      assertEquals(200, wire.get("/_cluster/health").response().status());
      // chunked, in pieces
      wire.send(
          "POST /served/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n");
      for (int from = 0; from < body.length(); from += 50_000) {
        String piece = body.substring(from, Math.min(body.length(), from + 50_000));
        wire.send(Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
      }
      assertEquals(200, wire.send("0\r\n\r\n").response().status());
      // pipelined
      wire.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20));
      for (int i = 0; i < 20; i++) {
        assertEquals(200, wire.response().status());
      }
      assertEquals(400, wire.post("/served/_bulk", 3, "{}\n").response().status());
    }
  }

  public void testStalledUploadsNeitherTakeMemoryNorStopOthers() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(INBOUND + "max_wait", "5m"));
    long waits = metric("guard.inbound-budget", "waits");
    List<Wire> stalled = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        stalled.add(wire().post("/k1/_bulk", 3 * MB, bulk(100_000)));
      }
      await(() -> assertEquals(7, metric("guard.inbound-budget", "waits") - waits));
      assertEquals(3 * MB, metric("guard.inbound-budget", "large_used"));
      try (Wire wire = wire()) {
        String body = bulk(200_000);
        assertEquals(200, wire.post("/k1/_bulk", body.length(), body).response().status());
      }
    } finally {
      for (Wire wire : stalled) {
        wire.close();
      }
    }
  }

  public void testWaitsThenIsServed() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(INBOUND + "max_wait", "5m"));
    String body = bulk(2 * MB);
    try (Wire blocker = wire();
        Wire waiter = wire()) {
      blocker.post("/wait/_bulk", 3 * MB, "{");
      await(() -> assertEquals(3 * MB, metric("guard.inbound-budget", "large_used")));
      Thread sender =
          new Thread(() -> {
            try {
              waiter.post("/wait/_bulk", body.length(), body);
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
      sender.start();
      await(() -> assertEquals(1, metric("guard.inbound-budget", "waiting")));
      blocker.close();
      assertEquals(200, waiter.response().status());
      sender.join();
    }
  }

  public void testRefusesAfterTheWaitAndServesOn() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(INBOUND + "max_wait", "200ms"));
    long refusals = metric("guard.inbound-budget", "refusals");
    String body = bulk(2 * MB);
    try (Wire blocker = wire();
        Wire refused = wire()) {
      blocker.post("/refuse/_bulk", 3 * MB, "{");
      await(() -> assertEquals(3 * MB, metric("guard.inbound-budget", "large_used")));
      Response response = refused.post("/refuse/_bulk", body.length(), body).response();
      assertEquals(429, response.status());
      assertTrue(Integer.parseInt(response.headers().get("retry-after")) >= 1);
      assertTrue(response.body(), response.body().contains("millrace.guard.inbound_budget.large"));
      assertTrue(response.body(), response.body().contains("inbound_budget_exceeded_exception"));
      assertEquals(1, metric("guard.inbound-budget", "refusals") - refusals);
      // the same connection serves on
      assertEquals(200, refused.get("/").response().status());
      // an answer comes after those to earlier requests
      refused.get("/_cluster/health");
      refused.post("/refuse/_bulk", body.length(), body);
      assertEquals(200, refused.response().status());
      assertEquals(429, refused.response().status());
    }
  }

  public void testServesNothingAfterARefusalThatEndsTheConnection() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(INBOUND + "max_wait", "200ms"));
    String body = bulk(5000);
    try (Wire first = wire();
        Wire second = wire();
        Wire refused = wire()) {
      first.post("/ends/_bulk", MB, "{");
      second.post("/ends/_bulk", MB, "{");
      await(() -> assertEquals(2 * MB, inbound("small_used")));
      // one read: what follows the body is there when the connection ends
      refused.send(
          "POST /ends/_bulk HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body
              + "PUT /after HTTP/1.1\r\nHost: x\r\n\r\n");
      Response response = refused.response();
      assertEquals(429, response.status());
      assertEquals("close", response.headers().get("connection"));
      assertTrue(refused.closedByPeer());
      // its turn came before this one's
      try (Wire other = wire()) {
        assertEquals(
            200, other.send("PUT /before HTTP/1.1\r\nHost: x\r\n\r\n").response().status());
        assertEquals(404, other.get("/after").response().status());
      }
    }
  }

  public void testClosesAStalledSender() throws Exception {
    // only in this test: in the others a sender that gets no core for a second must not be cut off
    set(Settings.builder().put(INBOUND + "floor_window", "1s"));
    long slow = metric("guard.inbound-budget", "slow_senders");
    try (Wire wire = wire()) {
      Response response = wire.post("/slow/_bulk", 3 * MB, "{").response();
      assertEquals(429, response.status());
      assertEquals("1", response.headers().get("retry-after"));
      assertTrue(response.body(), response.body().contains("floor_rate"));
      assertTrue(wire.closedByPeer());
    }
    assertEquals(1, metric("guard.inbound-budget", "slow_senders") - slow);
  }

  public void testOffLetsEverythingThrough() throws Exception {
    set(Settings.builder().put(INBOUND + "enabled", false));
    String body = bulk(6 * MB);
    try (Wire blocker = wire();
        Wire other = wire()) {
      blocker.post("/off/_bulk", 5 * MB, "{");
      assertEquals(200, other.post("/off/_bulk", body.length(), body).response().status());
      assertEquals(0, metric("guard.inbound-budget", "large_used"));
    }
  }

  public void testClosesAPeerThatDoesNotRead() throws Exception {
    String body = bulk(900_000);
    try (Wire wire = wire()) {
      for (int i = 0; i < 8; i++) {
        assertEquals(200, wire.post("/pages/_bulk", body.length(), body).response().status());
      }
      assertEquals(
          200, wire.send("POST /pages/_refresh HTTP/1.1\r\nHost: x\r\n\r\n").response().status());
    }
    set(Settings.builder().put(OUTBOUND + "stall_timeout", "1s"));
    long closed = metric("guard.outbound-budget", "stalled_readers");
    long waits = metric("guard.outbound-budget", "pipeline_waits");
    try (Wire reader = wire()) {
      reader.send("GET /pages/_search?size=7000 HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20));
      await(() -> assertEquals(1, metric("guard.outbound-budget", "stalled_readers") - closed));
    }
    assertTrue(metric("guard.outbound-budget", "pipeline_waits") > waits);
  }

  public void testBadSettings() {
    for (String[] bad :
        new String[][] {
          {INBOUND + "small", "1kb", "at least [1mb]"},
          {INBOUND + "large", "0%", "at least [1mb]"},
          {INBOUND + "small", "much", "share of the heap"},
          {INBOUND + "max_wait", "1h", "at most [5m]"},
          {INBOUND + "queued_writes", "-1", "must be >= 0"},
          {OUTBOUND + "node", "5b", "at least [1mb]"},
          {OUTBOUND + "pipelining", "0", "must be >= 1"},
        }) {
      IllegalArgumentException refused =
          expectThrows(
              IllegalArgumentException.class, () -> set(Settings.builder().put(bad[0], bad[1])));
      assertTrue(refused.getMessage(), refused.getMessage().contains(bad[0]));
      assertTrue(refused.getMessage(), refused.getMessage().contains(bad[2]));
    }
  }
}
