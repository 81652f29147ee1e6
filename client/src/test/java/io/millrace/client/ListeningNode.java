package io.millrace.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A node as far as a client sees it: says which cluster it is of, takes what is posted. */
final class ListeningNode implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile String uuid = "cluster-of-the-test";
  private volatile List<String> published = List.of();
  private volatile boolean locked;
  private final AtomicInteger answersToLose = new AtomicInteger();
  final AtomicInteger posts = new AtomicInteger();
  final List<String> passwords = Collections.synchronizedList(new ArrayList<>());
  final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  ListeningNode() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://" + address();
  }

  /** {@code 127.0.0.1:port}, as a node publishes it. */
  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** The cluster it says it is of. */
  ListeningNode uuid(String value) {
    uuid = value;
    return this;
  }

  /** The addresses it knows its cluster's nodes by. */
  ListeningNode publish(String... addresses) {
    published = List.of(addresses);
    return this;
  }

  /** Answers nobody without a password. */
  ListeningNode locked() {
    locked = true;
    return this;
  }

  /** Takes the next post and closes the connection without an answer. */
  ListeningNode loseAnswer() {
    answersToLose.incrementAndGet();
    return this;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    exchange.getRequestBody().readAllBytes();
    requests.add(exchange.getRequestMethod() + " " + path);
    String password = exchange.getRequestHeaders().getFirst("Authorization");
    if (password != null) {
      passwords.add(password);
    }
    if (locked && password == null) {
      answer(exchange, 401, "Unauthorized");
    } else if (exchange.getRequestMethod().equals("POST")) {
      posts.incrementAndGet();
      if (answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        exchange.close();
      } else {
        answer(exchange, 200, "{}");
      }
    } else if (path.equals("/")) {
      answer(exchange, 200, root());
    } else if (path.equals("/_nodes/http")) {
      answer(exchange, 200, nodes());
    } else if (path.equals("/long")) {
      answer(exchange, 200, "[" + "1,".repeat(50_000) + "1]");
    } else {
      answer(exchange, 404, "{\"error\":{\"reason\":\"no such index [x]\"}}");
    }
  }

  private String root() {
    return "{\"name\":\"node-%d\",\"cluster_uuid\":\"%s\",\"version\":{\"number\":\"3.8.0\"}}"
        .formatted(server.getAddress().getPort(), uuid);
  }

  private String nodes() {
    List<String> nodes =
        published.stream()
            .map(address ->
                "\"id-%s\":{\"name\":\"node-%s\",\"http\":{\"publish_address\":\"%s\"}}"
                    .formatted(address, address.substring(address.lastIndexOf(':') + 1), address))
            .toList();
    return "{\"nodes\":{" + String.join(",", nodes) + "}}";
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
