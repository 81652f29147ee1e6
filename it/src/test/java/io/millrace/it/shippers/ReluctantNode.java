package io.millrace.it.shippers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands in front of a node and refuses the first requests that write as a node without room does,
 * by 429 with {@code Retry-After}; everything else goes to the node and back.
 */
final class ReluctantNode implements AutoCloseable {
  private static final String REFUSAL =
      "{\"error\":{\"type\":\"opensearch_rejected_execution_exception\",\"reason\":\"no room\"},"
          + "\"status\":429}";

  private final URI node;
  private final AtomicInteger left;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  /**
   * Listens at once.
   *
   * @param refusals requests to refuse
   */
  ReluctantNode(URI node, int refusals) throws IOException {
    this.node = node;
    left = new AtomicInteger(refusals);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Requests that are still to be refused. */
  int left() {
    return Math.max(0, left.get());
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    if (writes(path) && left.getAndDecrement() > 0) {
      exchange.getResponseHeaders().add("Retry-After", "1");
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      send(exchange, 429, REFUSAL.getBytes(StandardCharsets.UTF_8));
      return;
    }
    forward(exchange, body);
  }

  private void forward(HttpExchange exchange, byte[] body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.resolve(exchange.getRequestURI().toString()))
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    for (String header : List.of("Content-Type", "Content-Encoding")) {
      String value = exchange.getRequestHeaders().getFirst(header);
      if (value != null) {
        request.header(header, value);
      }
    }
    try {
      HttpResponse<byte[]> got = http.send(request.build(), BodyHandlers.ofByteArray());
      got.headers()
          .firstValue("Content-Type")
          .ifPresent(answered -> exchange.getResponseHeaders().add("Content-Type", answered));
      send(exchange, got.statusCode(), got.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      exchange.close();
    }
  }

  /** Bulks, OTLP and Loki's push. */
  private static boolean writes(String path) {
    return path.endsWith("_bulk") || path.startsWith("/v1/") || path.endsWith("/push");
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
    http.close();
  }
}
