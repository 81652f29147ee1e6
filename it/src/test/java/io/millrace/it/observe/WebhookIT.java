package io.millrace.it.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * The webhook of observe.alarms under the node's java agent and the plugin's own policy: only there
 * can the socket be refused.
 */
class WebhookIT {

  @Test
  void anAlarmReachesTheAddressAndTheAddressNobodyElse() throws IOException {
    List<JsonNode> got = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          got.add(new ObjectMapper().readTree(exchange.getRequestBody().readAllBytes()));
          // the first try fails, as it does when the other side restarts
          // with a body: after answers without one the JDK's server resets one connection in 200
          exchange.sendResponseHeaders(got.size() == 1 ? 503 : 200, 2);
          exchange.getResponseBody().write(new byte[] {'o', 'k'});
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/SECRET-TOKEN";
    // a heap that keeps more than 1 % is an alarm here: it fires with the first reading after a
    // collection
    try (Cluster cluster =
        Cluster.of(Tree.MILLRACE, 1)
            .set("millrace.observe.alarms.webhook.url", url)
            .set("millrace.observe.alarms.heap_percent", "1")
            .set("millrace.observe.alarms.heap_for", "0s")
            .start()) {
      Await.until("two messages", Duration.ofMinutes(5), () -> got.size() >= 2);
      JsonNode message = got.get(1);
      assertEquals("heap_high", message.path("alarm").asText());
      assertTrue(message.path("firing").asBoolean());
      assertEquals("node-0", message.path("node").asText());
      assertTrue(message.path("text").asText().startsWith("[warning] node-0: "));
      assertEquals(got.get(0), message, "the retry says the same");
      Await.until(
          "the count of messages",
          Duration.ofMinutes(2),
          // on a busy machine another alarm may have followed
          () ->
              cluster
                      .http()
                      .get("/_millrace/stats?feature=observe.alarms")
                      .ok()
                      .json()
                      .findValue("webhook_sent")
                      .path("value")
                      .asInt()
                  >= 1);
      assertFalse(cluster.node(0).log().contains("SECRET-TOKEN"), "the log names the address");
      for (String api : List.of("/_nodes/settings", "/_cluster/settings?include_defaults=true")) {
        assertFalse(cluster.http().get(api).body().contains("SECRET-TOKEN"), api);
      }
    } finally {
      server.stop(0);
    }
  }
}
