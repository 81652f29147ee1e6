package io.millrace.testkit.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JsonHttpTest {
  private HttpServer server;
  private JsonHttp http;

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String type = exchange.getRequestHeaders().getFirst("Content-Type");
          int status = exchange.getRequestURI().getPath().equals("/bad") ? 400 : 200;
          byte[] body =
              ("{\"method\":\""
                      + exchange.getRequestMethod()
                      + "\",\"type\":\""
                      + type
                      + "\",\"length\":"
                      + exchange.getRequestBody().readAllBytes().length
                      + "}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    http = new JsonHttp(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    http.close();
    server.stop(0);
  }

  @Test
  void sendsJsonAndBulkBodies() {
    assertEquals("PUT", http.put("/x", "{}").ok().at("/method").asText());
    assertEquals("application/json", http.put("/x", "{}").ok().at("/type").asText());
    assertEquals("application/x-ndjson", http.post("/x", "{}\n").ok().at("/type").asText());
    assertEquals(2, http.post("/x", "\u00e9").ok().at("/length").asInt());
  }

  @Test
  void aRefusalIsAnAnswerUntilItIsNot() {
    JsonAnswer answer = http.get("/bad");
    assertEquals(400, answer.status());
    AssertionError error = assertThrows(AssertionError.class, answer::ok);
    assertTrue(error.getMessage().contains("GET /bad -> 400"), error.getMessage());
    assertThrows(AssertionError.class, () -> answer.at("/absent"));
  }

  @Test
  void nobodyThereNamesThePlace() {
    server.stop(0);
    UncheckedIOException error = assertThrows(UncheckedIOException.class, () -> http.get("/x"));
    assertTrue(error.getMessage().contains("/x"), error.getMessage());
  }
}
