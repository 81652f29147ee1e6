package io.millrace.doctor.tune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.doctor.check.Recorded;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that keeps settings of indices and templates as a server does, and that can break at
 * any request that changes something.
 */
final class FakeCluster implements AutoCloseable {
  /** How a request that changes something ends. */
  enum Fault {
    /** Refused, and nothing happened. */
    REFUSED,
    /** The connection breaks before it happened. */
    BEFORE,
    /** The connection breaks after it happened. */
    AFTER
  }

  final Map<String, Map<String, String>> indices = new TreeMap<>();
  final TreeSet<String> closed = new TreeSet<>();
  final Map<String, JsonNode> composable = new TreeMap<>();
  final Map<String, List<String>> aliases = new LinkedHashMap<>();
  final Map<String, JsonNode> legacy = new TreeMap<>();
  final List<String> asked = new ArrayList<>();
  String uuid = "u";
  int failing = -1;
  Fault fault = Fault.REFUSED;
  private int changes;
  private final HttpServer server;
  private final ClusterClient client;
  private final Snapshot healthy = Recorded.healthy();

  FakeCluster() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.start();
    client = new ClusterClient(ClientOptions.local(server.getAddress().getPort()));
  }

  FakeCluster closed(String name) {
    closed.add(name);
    return this;
  }

  FakeCluster index(String name, String... settings) {
    Map<String, String> own = new TreeMap<>();
    own.put("index.number_of_shards", "1");
    own.put("index.number_of_replicas", "1");
    own.put("index.creation_date", "1795157210000");
    for (int i = 0; i < settings.length; i += 2) {
      own.put(settings[i], settings[i + 1]);
    }
    indices.put(name, own);
    return this;
  }

  Map<String, String> settings(String index) {
    return Objects.requireNonNull(indices.get(index));
  }

  ClusterClient client() {
    return client;
  }

  TunePlan plan(Use use, String... patterns) throws InterruptedException {
    Snapshot snapshot = new Collector(client, Limits.DEFAULT, text -> {}).collect(Planner.READS);
    return Planner.plan(snapshot, use, List.of(patterns), true, path -> Tuner.get(client, path));
  }

  /** All that can be changed, as text. */
  String state() {
    return indices + "\nclosed " + closed + "\n" + composable + "\n" + legacy;
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    String path = URLDecoder.decode(exchange.getRequestURI().getRawPath(), StandardCharsets.UTF_8);
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    boolean change = !method.equals("GET");
    boolean breaks = change && changes++ == failing;
    if (change) {
      asked.add(method + " " + path);
    }
    if (breaks && fault == Fault.BEFORE) {
      exchange.close();
      return;
    }
    String answer = breaks && fault == Fault.REFUSED ? null : respond(method, path, body);
    if (breaks && fault == Fault.AFTER) {
      exchange.close();
      return;
    }
    byte[] bytes =
        (answer == null ? "{\"error\":{\"reason\":\"no\"}}" : answer)
            .getBytes(StandardCharsets.UTF_8);
    int status = answer != null ? 200 : method.equals("GET") ? 404 : 400;
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private @Nullable String respond(String method, String path, String body) throws IOException {
    String[] parts = path.substring(1).split("/");
    if (parts[0].equals("_alias")) {
      List<String> behind = aliases.get(parts[1]);
      return behind == null
          ? null
          : Json.object(behind.stream().collect(Collectors.toMap(name -> name, name -> Map.of())));
    }
    if (path.equals("/_all/_settings/index.uuid")) {
      return Json.object(closed.stream().collect(Collectors.toMap(name -> name, name -> Map.of())));
    }
    if (parts[0].equals("_index_template") || parts[0].equals("_template")) {
      return template(method, parts, body);
    }
    if (parts.length == 2 && !parts[0].equals("_all") && !parts[0].startsWith("_")) {
      return index(method, parts[0].split(","), parts[1], body);
    }
    if (path.startsWith("/_cluster/health/")) {
      return "{\"status\":\"green\",\"timed_out\":false}";
    }
    return recorded(path);
  }

  private @Nullable String template(String method, String[] parts, String body) throws IOException {
    boolean newer = parts[0].equals("_index_template");
    Map<String, JsonNode> all = newer ? composable : legacy;
    if (parts.length == 2 && method.equals("PUT")) {
      all.put(parts[1], Json.MAPPER.readTree(body));
      return "{\"acknowledged\":true}";
    }
    if (parts.length == 2 && method.equals("DELETE")) {
      return all.remove(parts[1]) == null ? null : "{\"acknowledged\":true}";
    }
    if (parts.length == 2 && !all.containsKey(parts[1])) {
      return null;
    }
    ObjectNode answer = Json.MAPPER.createObjectNode();
    all.forEach((name, template) -> {
      if (parts.length == 1 || parts[1].equals(name)) {
        if (newer) {
          answer
              .withArray("index_templates")
              .addObject()
              .put("name", name)
              .set("index_template", template);
        } else {
          answer.set(name, template);
        }
      }
    });
    return answer.toString();
  }

  private @Nullable String index(String method, String[] names, String what, String body)
      throws IOException {
    ObjectNode answer = Json.MAPPER.createObjectNode();
    for (String name : names) {
      Map<String, String> settings = indices.get(name);
      if (settings == null) {
        if (method.equals("GET")) {
          continue;
        }
        return null;
      }
      switch (method + " " + what) {
        case "POST _close" -> closed.add(name);
        case "POST _open" -> closed.remove(name);
        case "GET _settings" ->
            answer.putObject(name).set("settings", Json.MAPPER.valueToTree(settings));
        default -> {
          JsonNode wanted = Json.MAPPER.readTree(body);
          if (wanted.has("index.codec") && !closed.contains(name)) {
            return null;
          }
          wanted
              .properties()
              .forEach(e -> {
                if (e.getValue().isNull()) {
                  settings.remove(e.getKey());
                } else {
                  settings.put(e.getKey(), e.getValue().asText());
                }
              });
        }
      }
    }
    return method.equals("GET") ? answer.toString() : "{\"acknowledged\":true}";
  }

  private @Nullable String recorded(String path) {
    if (path.equals("/")) {
      return ((ObjectNode) healthy.get(Probe.ROOT).deepCopy()).put("cluster_uuid", uuid).toString();
    }
    if (path.equals("/_all/_settings")) {
      Map<String, Object> open = new LinkedHashMap<>();
      indices.forEach((name, settings) -> {
        if (!closed.contains(name)) {
          open.put(name, Map.of("settings", settings));
        }
      });
      return Json.object(open);
    }
    if (path.equals(Probe.SHARDS.path().replaceAll("\\?.*", ""))) {
      Map<String, Object> shards = new LinkedHashMap<>();
      indices
          .keySet()
          .forEach(name ->
              shards.put(
                  name,
                  Map.of(
                      "shards",
                      Map.of(
                          "0",
                          List.of(
                              Map.of(
                                  "primary",
                                  true,
                                  "state",
                                  name.contains("moving") ? "RELOCATING" : "STARTED",
                                  "node",
                                  "id1"))))));
      return Json.object(Map.of("routing_table", Map.of("indices", shards)));
    }
    for (Probe probe : Planner.READS) {
      if (probe.path().replaceAll("\\?.*", "").equals(path)) {
        return healthy.get(probe).toString();
      }
    }
    return null;
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
  }
}
