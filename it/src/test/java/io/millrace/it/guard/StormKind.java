package io.millrace.it.guard;

import io.millrace.testkit.Await;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** The storms: what is in the node before, and who comes. */
enum StormKind {
  /** 20 connections announce a bulk of 60 MB each, send 55 MB and then nothing. */
  K1("1g"),
  /** One client with a scripted metric that collects everything. */
  K2("512m"),
  /** 8 connections with 100 pipelined searches each for 10,000 hits, of which nothing is read. */
  K3("512m"),
  /** Four clients with terms over a unique field and 100 top hits in each bucket. */
  K4("512m"),
  /** All of them at once, while two clients write. */
  K5("1g"),
  /** Writers that offer four times what the node can take. */
  WRITES("512m");

  private static final int MB = 1 << 20;
  private static final int REQUESTS = 100_000;
  private static final int PAGES = 12_000;

  private static final String COLLECTS =
      """
      {"size":0,"aggs":{"s":{"scripted_metric":{"init_script":"state.l=[]",
       "map_script":"for(int i=0;i<100;i++) state.l.add(doc['trace_id'].value+i)",
       "combine_script":"return state.l","reduce_script":"return states.size()"}}}}\
      """;
  private static final String TERMS_WITH_TOP_HITS =
      """
      {"size":0,"aggs":{"h":{"terms":{"field":"trace_id","size":60000},
       "aggs":{"t":{"top_hits":{"size":100}}}}}}\
      """;
  private static final String DEEP = "{\"size\":10000,\"query\":{\"match_all\":{}}}";
  private static final String MAPPING =
      """
      {"settings":{"number_of_shards":1,"number_of_replicas":0},"mappings":{"properties":{
       "@timestamp":{"type":"date"},"host":{"type":"keyword"},"service":{"type":"keyword"},
       "trace_id":{"type":"keyword"},"bytes":{"type":"long"},"message":{"type":"text"}}}}\
      """;

  private final String heap;

  StormKind(String heap) {
    this.heap = heap;
  }

  /** The node's heap. */
  String heap() {
    return heap;
  }

  /** As options and the report write it. */
  String label() {
    return this == WRITES ? "4x" : name();
  }

  private boolean searchesRequests() {
    return this == K2 || this == K4 || this == K5;
  }

  private boolean readsPages() {
    return this == K3 || this == K5;
  }

  /** Documents that the storm's requests ask for; every one acknowledged. */
  void prepare(JsonHttp http) {
    http.put("/storm", MAPPING).ok();
    if (searchesRequests()) {
      Random random = new Random(7);
      for (int from = 0; from < REQUESTS; from += 5000) {
        bulk(http, "storm", Storm.bulk(from, 5000, n -> request(n, random)));
      }
    }
    if (readsPages()) {
      String text = "a line of a log as long as lines are ".repeat(20);
      for (int from = 0; from < PAGES; from += 1000) {
        bulk(
            http, "pages", Storm.bulk(from, 1000, n -> "{\"n\":" + n + ",\"m\":\"" + text + "\"}"));
      }
    }
    http.post("/_refresh").ok();
  }

  private static void bulk(JsonHttp http, String index, String lines) {
    // they have ids: a bulk whose answer was cut, or that was refused, may come again
    Await.until(
        "the documents of the storm to be written",
        Duration.ofMinutes(2),
        () -> !http.post("/" + index + "/_bulk", lines).ok().at("/errors").asBoolean());
  }

  private static String request(int n, Random random) {
    return String.format(
        Locale.ROOT,
        "{\"@timestamp\":%d,\"host\":\"host-%d\",\"service\":\"svc-%d\",\"trace_id\":\"%016x%016x\","
            + "\"bytes\":%d,\"message\":\"request %d failed with error timeout after %d ms\"}",
        1_700_000_000_000L + n * 10L,
        random.nextInt(1000),
        random.nextInt(20),
        random.nextLong(),
        random.nextLong(),
        random.nextInt(100_000),
        n,
        random.nextInt(5000));
  }

  /** How many of the prepared documents are not there; they have ids, so that no other counts. */
  long lost(JsonHttp http) {
    long lost = 0;
    if (searchesRequests()) {
      lost += Math.max(0, REQUESTS - http.get("/storm/_count").ok().at("/count").asLong());
    }
    if (readsPages()) {
      lost += Math.max(0, PAGES - http.get("/pages/_count").ok().at("/count").asLong());
    }
    return lost;
  }

  /** Those who come, by name; they stay until closed. */
  Map<String, Visitors> come(int port, Acknowledgements acknowledged) {
    Map<String, Visitors> come = new LinkedHashMap<>();
    if (this == K5) {
      come.put("ingest", Clients.writing(port, 2, 1000, 0, acknowledged));
    }
    if (this == K1 || this == K5) {
      come.put("K1", Storm.stalledUploads(port, 20, 60 * MB, 55 * MB));
    }
    if (this == K2 || this == K5) {
      come.put("K2", searching(port, 1, COLLECTS));
    }
    if (readsPages()) {
      come.put("K3", Storm.slowReaders(port, 8, 100, "/pages/_search", DEEP));
    }
    if (this == K4 || this == K5) {
      come.put("K4", searching(port, 4, TERMS_WITH_TOP_HITS));
    }
    return come;
  }

  private static Clients searching(int port, int count, String body) {
    return Clients.searching(port, count, "/storm/_search?request_cache=false", body);
  }
}
