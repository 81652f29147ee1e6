package io.millrace.cli.ingest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node that keeps what bulks bring and misbehaves as told. */
public final class FakeNode implements AutoCloseable {
  /** What to do with one bulk request. */
  enum Manner {
    OK,
    BUSY,
    /** Every second item is answered 429. */
    HALF_BUSY,
    /** Items whose document holds "poison" are refused. */
    PICKY,
    /** Applies the bulk, then closes the connection without an answer. */
    LOSE_ANSWER,
    /** Takes every item, and answers each as a shard does that got it twice from the same node. */
    TWICE_INSIDE,
    /** The whole bulk fails when any document holds "poison". */
    ALL_OR_NOTHING,
    FLOOD_STAGE,
    UNAUTHORIZED,
    GARBAGE
  }

  private static final Pattern ID = Pattern.compile("\"_id\":\"([^\"]+)\"");
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Manner> script = Collections.synchronizedList(new ArrayList<>());
  private volatile Manner standing = Manner.OK;
  private final Map<String, String> documents = Collections.synchronizedMap(new LinkedHashMap<>());
  private final AtomicInteger autoId = new AtomicInteger();
  private volatile String uuid = "cluster-of-the-test";
  private volatile List<String> published = List.of();
  private volatile boolean locked;
  final AtomicInteger bulks = new AtomicInteger();
  final List<String> passwords = Collections.synchronizedList(new ArrayList<>());

  /** What its templates give an index, as {@code _simulate_index} answers. */
  volatile String template = "{}";

  /** What it answers to these paths, as a node with Millrace does. */
  final Map<String, String> millrace = new ConcurrentHashMap<>();

  /** Bodies of indices that were created. */
  final List<String> created = Collections.synchronizedList(new ArrayList<>());

  final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  public FakeNode() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** {@code 127.0.0.1:port}, as a node publishes it. */
  String address() {
    return url().substring("http://".length());
  }

  /** The cluster it says it is of. */
  FakeNode uuid(String value) {
    uuid = value;
    return this;
  }

  /** The addresses it knows its cluster's nodes by. */
  FakeNode publish(String... addresses) {
    published = List.of(addresses);
    return this;
  }

  /** Answers nobody without a password. */
  FakeNode locked() {
    locked = true;
    return this;
  }

  /** The manners of the next bulks, one each; afterwards the standing one. */
  FakeNode next(Manner... manners) {
    script.addAll(List.of(manners));
    return this;
  }

  FakeNode always(Manner manner) {
    standing = manner;
    return this;
  }

  Set<String> ids() {
    synchronized (documents) {
      return Set.copyOf(documents.keySet());
    }
  }

  public List<String> documents() {
    synchronized (documents) {
      return List.copyOf(documents.values());
    }
  }

  /** Forgets the documents, not the manners. */
  void clear() {
    documents.clear();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    requests.add(exchange.getRequestMethod() + " " + path);
    if (exchange.getRequestMethod().equals("PUT")) {
      created.add(body);
    }
    String password = exchange.getRequestHeaders().getFirst("Authorization");
    if (password != null) {
      passwords.add(password);
    }
    if (locked && password == null) {
      answer(exchange, 401, "Unauthorized");
    } else if (path.endsWith("/_bulk")) {
      bulk(exchange, body);
    } else if (path.equals("/")) {
      String name = "node-" + server.getAddress().getPort();
      answer(
          exchange,
          200,
          "{\"name\":\"%s\",\"cluster_uuid\":\"%s\",\"version\":{\"distribution\":\"opensearch\",\"number\":\"3.8.0\"}}"
              .formatted(name, uuid));
    } else if (path.equals("/_nodes/http")) {
      answer(exchange, 200, nodes());
    } else if (path.startsWith("/_index_template/_simulate_index/")) {
      answer(exchange, 200, template);
    } else if (path.startsWith("/_millrace")) {
      String known = millrace.get(path);
      answer(exchange, known == null ? 400 : 200, known == null ? "{}" : known);
    } else if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(404, -1);
      exchange.close();
    } else {
      answer(exchange, 200, "{}");
    }
  }

  private String nodes() {
    StringBuilder nodes = new StringBuilder("{\"nodes\":{");
    for (String address : published) {
      nodes.append(nodes.charAt(nodes.length() - 1) == '{' ? "" : ",");
      nodes.append(
          "\"id-%s\":{\"name\":\"node-%s\",\"http\":{\"publish_address\":\"%s\"}}"
              .formatted(address, address.substring(address.lastIndexOf(':') + 1), address));
    }
    return nodes.append("}}").toString();
  }

  private void bulk(HttpExchange exchange, String body) throws IOException {
    bulks.incrementAndGet();
    Manner manner = script.isEmpty() ? standing : script.remove(0);
    switch (manner) {
      case BUSY -> answer(exchange, 429, "{\"error\":{\"reason\":\"rejected execution\"}}");
      case UNAUTHORIZED -> answer(exchange, 401, "Unauthorized");
      case GARBAGE -> answer(exchange, 200, "<html>a proxy's page</html>");
      case ALL_OR_NOTHING -> {
        if (body.contains("poison")) {
          answer(exchange, 400, "{\"error\":{\"reason\":\"Malformed content\"}}");
        } else {
          answer(exchange, 200, items(body, manner));
        }
      }
      case LOSE_ANSWER -> {
        items(body, Manner.OK);
        exchange.close();
      }
      default -> answer(exchange, 200, items(body, manner));
    }
  }

  private String items(String body, Manner manner) {
    StringBuilder items = new StringBuilder("{\"errors\":true,\"items\":[");
    String[] lines = body.split("\n");
    for (int i = 0; i < lines.length; i += 2) {
      if (i > 0) {
        items.append(',');
      }
      String document = i + 1 < lines.length ? lines[i + 1] : "";
      items.append("{\"create\":").append(item(i / 2, lines[i], document, manner)).append('}');
    }
    return items.append("]}").toString();
  }

  private String item(int number, String action, String document, Manner manner) {
    if (manner == Manner.HALF_BUSY && number % 2 == 1) {
      return error(429, "rejected_execution_exception", "queue is full");
    }
    if (manner == Manner.PICKY && document.contains("poison")) {
      return "{\"status\":400,\"error\":{\"type\":\"mapper_parsing_exception\",\"reason\":\"failed to"
          + " parse field [n]\",\"caused_by\":{\"type\":\"x\",\"reason\":\"For input string\"}}}";
    }
    if (manner == Manner.FLOOD_STAGE) {
      return error(
          429,
          "cluster_block_exception",
          "index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark];");
    }
    Matcher id = ID.matcher(action);
    String key = id.find() ? id.group(1) : "auto-" + autoId.incrementAndGet();
    if (manner == Manner.TWICE_INSIDE) {
      documents.put(key, document);
    }
    if (documents.putIfAbsent(key, document) != null) {
      return error(409, "version_conflict_engine_exception", "document already exists");
    }
    return "{\"status\":201}";
  }

  private static String error(int status, String type, String reason) {
    return "{\"status\":%d,\"error\":{\"type\":\"%s\",\"reason\":\"%s\"}}"
        .formatted(status, type, reason);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Answers as a node with Millrace, which has nothing to warn of. */
  public void hasMillrace() {
    millrace.put("/_millrace", "{\"warnings\":[]}");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
