package io.millrace.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.answers.Query;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.load.BulkLoad;
import io.millrace.bench.load.MergeWait;
import io.millrace.bench.load.NodeClient;
import io.millrace.bench.os.IndexFiles;
import io.millrace.bench.run.BenchNode;
import io.millrace.bench.run.Nodes;
import io.millrace.bench.scenario.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node of stock or of Millrace, loaded by {@code _bulk} and asked by {@code _search}. */
final class NodePeer implements Peer {
  private static final String INDEX = "logs-peers";
  private static final String WARM_UP = "logs-warm-up";
  private static final String TIME = "@timestamp";

  private final BenchNode node;
  private final NodeClient client;
  private final Side side;
  private final int workers;

  private NodePeer(BenchNode node, Side side, int workers) {
    this.node = node;
    this.client = new NodeClient(node.uri());
    this.side = side;
    this.workers = workers;
  }

  /** A side whose nodes are started so. */
  static PeerSide side(Side side, Nodes nodes, int workers) {
    return new PeerSide(
        side.label(),
        home -> {
          NodePeer peer = new NodePeer(nodes.start(side, home), side, workers);
          peer.create(INDEX); // refused settings show before anything is paid for
          return peer;
        });
  }

  private void create(String index) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("settings", Map.of("index", side.indexSettings()));
    Map<String, Object> mapping = side.mapping();
    body.put("mappings", mapping == null ? Map.of() : mapping);
    client.put("/" + index, body);
    client.get("/_cluster/health/" + index + "?wait_for_status=green&timeout=120s");
  }

  @Override
  public long pid() {
    return node.pid();
  }

  @Override
  public String version() {
    return client.get("/").path("version").path("number").asText();
  }

  @Override
  public void warmUp(Documents documents, long count) {
    int bulks = 0;
    while (bulks < documents.bulks().bulks() && documents.bulks().documents(0, bulks) < count) {
      bulks++;
    }
    if (bulks > 0) {
      create(WARM_UP);
      load(WARM_UP, documents, bulks);
      client.delete("/" + WARM_UP);
    }
  }

  @Override
  public void load(Documents documents) {
    load(INDEX, documents, documents.bulks().bulks());
  }

  private void load(String index, Documents documents, int bulks) {
    BulkLoad.run(client, index, documents.bulks(), bulks, workers, done -> {});
    flush(index);
  }

  private void flush(String index) {
    client.post("/" + index + "/_flush?force=true&wait_if_ongoing=true");
    client.post("/" + index + "/_refresh");
    MergeWait.quiet(client, index);
  }

  @Override
  public void merge() {
    client.post("/" + INDEX + "/_forcemerge?max_num_segments=1&flush=true");
    flush(INDEX);
  }

  @Override
  public long bytes() throws IOException {
    String uuid =
        client
            .get("/" + INDEX + "/_settings?flat_settings=true")
            .path(INDEX)
            .path("settings")
            .path("index.uuid")
            .asText();
    Path folder = IndexFiles.find(node.data(), uuid);
    return IndexFiles.byEnding(folder).values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public PeerAnswer ask(PeerSearch search) {
    JsonNode answer = send("_search?request_cache=false", body(search));
    if (search.kind() != PeerSearch.Kind.COUNTS) {
      return PeerAnswer.ofRows(answer.path("hits").path("hits").findValues("_source"), TIME);
    }
    PeerAnswer counts = PeerAnswer.ofCounts();
    for (JsonNode start : answer.path("aggregations").path("times").path("buckets")) {
      for (JsonNode level : start.path("levels").path("buckets")) {
        counts.add(start.path("key"), level.path("key").asText(), level.path("doc_count").asLong());
      }
    }
    return counts;
  }

  @Override
  public long hits(PeerSearch search) {
    return send("_count", Map.of("query", query(search))).path("count").asLong();
  }

  private JsonNode send(String what, Map<String, Object> body) {
    Query query = new Query(what, true, BenchJson.bytes(body)).named(side.way().names());
    NodeClient.Answer answer =
        client.send("POST", "/" + INDEX + "/" + what, query.body(), "application/json");
    if (answer.status() != 200) {
      throw new IllegalStateException(new String(answer.body(), StandardCharsets.UTF_8));
    }
    return answer.json();
  }

  private static Map<String, Object> body(PeerSearch search) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("query", query(search));
    body.put("track_total_hits", false);
    if (search.kind() == PeerSearch.Kind.COUNTS) {
      body.put("size", 0);
      body.put("aggs", Map.of("times", times()));
    } else {
      body.put("size", PeerSearch.MOST);
      body.put("sort", List.of(Map.of(TIME, "desc")));
    }
    return body;
  }

  private static Map<String, Object> times() {
    String interval = PeerSearch.INTERVAL / 1000 + "s";
    return Map.of(
        "date_histogram",
        Map.of("field", TIME, "fixed_interval", interval),
        "aggs",
        Map.of("levels", Map.of("terms", Map.of("field", "level", "size", 10))));
  }

  private static Map<String, Object> query(PeerSearch search) {
    return switch (search.kind()) {
      case ID -> Map.of("term", Map.of("trace_id", search.text()));
      case WORD -> match("match", Map.of("query", search.text()));
      case WORDS -> match("match", Map.of("query", search.text(), "operator", "and"));
      case PHRASE -> match("match_phrase", Map.of("query", search.text()));
      case COUNTS ->
          Map.of(
              "range",
              Map.of(
                  TIME, Map.of("gte", search.from(), "lt", search.to(), "format", "epoch_millis")));
    };
  }

  private static Map<String, Object> match(String kind, Map<String, Object> how) {
    return Map.of(kind, Map.of("message", how));
  }

  @Override
  public void close() {
    client.close();
    node.close();
  }
}
