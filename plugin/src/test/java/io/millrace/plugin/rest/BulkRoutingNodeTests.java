package io.millrace.plugin.rest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.opensearch.client.RestClient;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/**
 * write.bulk-routing as a client sees it, through a data node and through a coordinating-only node
 * (which forwards pipelines' bulks to the data node).
 */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 1,
    supportsDedicatedMasters = false)
public class BulkRoutingNodeTests extends RestNodeTestCase {
  private static final String STATS = "/_millrace/stats?feature=write.bulk-routing";
  private static final String METRICS = "features.write\\.bulk-routing.metrics.";
  private static final String CREATE = "{\"create\":{}}";
  private static final String INDEX = "{\"index\":{}}";

  private void createIndex(String index, int shards, String more) throws IOException {
    ok(
        "PUT",
        "/" + index,
        "{\"settings\":{\"number_of_shards\":"
            + shards
            + ",\"number_of_replicas\":0,\"bulk_routing.enabled\":true}"
            + more
            + "}");
  }

  private void createRouted(String index) throws IOException {
    createIndex(index, 12, "");
  }

  /** The distinct _routing values of all documents; a document without one counts as "none". */
  private Set<String> routings(String index) throws IOException {
    ok("POST", "/" + index + "/_refresh");
    Set<String> routings = new HashSet<>();
    for (Map<?, ?> hit : ok("GET", "/" + index + "/_search?size=10000").maps("hits.hits")) {
      routings.add(hit.get("_routing") instanceof String routing ? routing : "none");
    }
    return routings;
  }

  private List<Long> docsPerShard(String index, int shards) throws IOException {
    ok("POST", "/" + index + "/_refresh");
    List<Long> counts = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      counts.add(
          ok(
                  "GET",
                  "/" + index + "/_search?size=0&track_total_hits=true&preference=_shards:" + shard)
              .number("hits.total.value"));
    }
    return counts;
  }

  private long counted(String metric) throws IOException {
    return ok("GET", STATS).number(METRICS + metric + ".value");
  }

  private long untouched(String reason) throws IOException {
    for (Map<?, ?> sample : ok("GET", STATS).maps(METRICS + "bulks_untouched.samples")) {
      if (sample.get("labels") instanceof Map<?, ?> labels
          && reason.equals(labels.get("reason"))
          && sample.get("value") instanceof Number value) {
        return value.longValue();
      }
    }
    throw new AssertionError("no reason " + reason);
  }

  public void testSeedCommandAtCreation() throws IOException {
    ok(
        "PUT",
        "/my-index",
        """
        {
          "settings" : {
            "index" : {
              "bulk_routing.enabled" : true
            }
          }
        }\
        """);
    assertEquals("true", setting("my-index", "index.bulk_routing.enabled"));
  }

  public void testSeedCommandDynamicUpdate() throws IOException {
    ok("PUT", "/my-index", "{\"settings\":{\"number_of_shards\":12,\"number_of_replicas\":0}}");
    bulk("/my-index/_bulk", items(INDEX, 60));
    assertEquals(Set.of("none"), routings("my-index"));
    ok(
        "PUT",
        "/my-index/_settings?pretty",
        """
        {
          "index.bulk_routing.enabled": true
        }\
        """);
    assertEquals("true", setting("my-index", "index.bulk_routing.enabled"));
    bulk("/my-index/_bulk", items(INDEX, 60));
    assertEquals(2, routings("my-index").size());
    ok("PUT", "/my-index/_settings", "{\"index.bulk_routing.enabled\": false}");
    bulk("/my-index/_bulk", items(INDEX, 60));
    assertEquals(2, routings("my-index").size());
  }

  public void testSeedCommandTemplate() throws IOException {
    ok(
        "PUT",
        "/_template/bulk_routing_template?pretty",
        """
        {
          "index_patterns": ["indices-prefix*"],
          "settings": {
            "bulk_routing.enabled": true
          }
        }\
        """);
    ok("PUT", "/indices-prefix-1", "{\"settings\":{\"number_of_shards\":12}}");
    assertEquals("true", setting("indices-prefix-1", "index.bulk_routing.enabled"));
    bulk("/indices-prefix-1/_bulk", items(INDEX, 60));
    assertEquals(1, routings("indices-prefix-1").size());
    assertFalse(routings("indices-prefix-1").contains("none"));
  }

  public void testOffByDefault() throws IOException {
    ok("PUT", "/plain", "{\"settings\":{\"number_of_shards\":12,\"number_of_replicas\":0}}");
    bulk("/plain/_bulk", items(INDEX, 60));
    assertEquals(Set.of("none"), routings("plain"));
    assertTrue(docsPerShard("plain", 12).stream().filter(n -> n > 0).count() > 1);
  }

  public void testEveryBulkGoesToOneShardAndAllShardsGetTheirShare() throws Exception {
    createRouted("logs");
    long bulks = counted("bulks_routed");
    long items = counted("items_routed");
    try (RestClient one = clientOf(internalCluster().getDataNodeNames().iterator().next())) {
      for (int i = 0; i < 12; i++) {
        Answer answer = call(one, "POST", "/logs/_bulk", items(INDEX, 10));
        assertEquals(answer.text(), Boolean.FALSE, answer.at("errors"));
      }
    }
    assertEquals(Collections.nCopies(12, 10L), docsPerShard("logs", 12));
    assertEquals(12, routings("logs").size());
    assertEquals(12, counted("bulks_routed") - bulks);
    assertEquals(120, counted("items_routed") - items);
  }

  public void testGetByIdNeedsTheRoutingThatHitsCarry() throws IOException {
    createRouted("logs");
    bulk("/logs/_bulk", items(INDEX, 20));
    ok("POST", "/logs/_refresh");
    for (Map<?, ?> hit : ok("GET", "/logs/_search?size=20").maps("hits.hits")) {
      Answer found = ok("GET", "/logs/_doc/" + hit.get("_id") + "?routing=" + hit.get("_routing"));
      assertEquals(Boolean.TRUE, found.at("found"));
    }
  }

  public void testOwnIdLeavesTheIndexsPartUntouched() throws IOException {
    createRouted("own");
    createRouted("other");
    long before = untouched("own_id");
    bulk(
        "/_bulk",
        items("{\"index\":{\"_index\":\"own\"}}", 30)
            + items("{\"index\":{\"_index\":\"own\",\"_id\":\"mine\"}}", 1)
            + items("{\"index\":{\"_index\":\"other\"}}", 30));
    assertEquals(Set.of("none"), routings("own"));
    assertEquals(1, routings("other").size());
    assertFalse(routings("other").contains("none"));
    assertEquals(1, untouched("own_id") - before);
    assertEquals(Boolean.TRUE, ok("GET", "/own/_doc/mine").at("found"));
  }

  public void testAllOwnIds() throws IOException {
    createRouted("own");
    long before = untouched("own_id");
    bulk(
        "/own/_bulk",
        items("{\"index\":{\"_id\":\"a\"}}", 1) + items("{\"index\":{\"_id\":\"b\"}}", 1));
    assertEquals(Set.of("none"), routings("own"));
    assertEquals(1, untouched("own_id") - before);
  }

  public void testUpdatesAndDeletesLeaveTheIndexsPartUntouched() throws IOException {
    createRouted("own");
    bulk(
        "/own/_bulk",
        items(INDEX, 5)
            + "{\"update\":{\"_id\":\"u\"}}\n{\"doc\":{\"n\":1},\"doc_as_upsert\":true}\n"
            + items(INDEX, 5)
            + "{\"delete\":{\"_id\":\"u\"}}\n");
    assertEquals(Set.of("none"), routings("own"));
    assertEquals(10, ok("GET", "/own/_count").number("count"));
  }

  public void testOwnRoutingLeavesTheIndexsPartUntouched() throws IOException {
    createRouted("own");
    long before = untouched("own_routing");
    bulk("/own/_bulk", items(INDEX, 20) + items("{\"index\":{\"routing\":\"mine\"}}", 1));
    assertEquals(Set.of("none", "mine"), routings("own"));
    assertEquals(1, untouched("own_routing") - before);
    bulk("/own/_bulk?routing=all", items(INDEX, 20));
    assertEquals(Set.of("none", "mine", "all"), routings("own"));
  }

  public void testSingleItemsStayReadableById() throws IOException {
    createRouted("single");
    createRouted("other");
    Answer one = ok("POST", "/single/_doc", "{\"n\":1}");
    assertEquals(Boolean.TRUE, ok("GET", "/single/_doc/" + one.at("_id")).at("found"));
    long before = untouched("single_item");
    bulk(
        "/_bulk",
        items("{\"index\":{\"_index\":\"single\"}}", 1)
            + items("{\"index\":{\"_index\":\"other\"}}", 2));
    assertEquals(Set.of("none"), routings("single"));
    assertEquals(1, untouched("single_item") - before);
  }

  public void testAliases() throws IOException {
    createRouted("behind");
    ok(
        "POST",
        "/_aliases",
        """
        {"actions":[
          {"add":{"index":"behind","alias":"front"}},
          {"add":{"index":"behind","alias":"fixed","index_routing":"mine"}}]}\
        """);
    bulk("/front/_bulk?require_alias=true", items(INDEX, 20));
    assertEquals(1, routings("behind").size());
    long before = untouched("alias_routing");
    bulk("/fixed/_bulk", items(INDEX, 20));
    assertEquals(2, routings("behind").size());
    assertTrue(routings("behind").contains("mine"));
    assertEquals(1, untouched("alias_routing") - before);
    Answer refused = ok("POST", "/behind/_bulk?require_alias=true", items(INDEX, 2));
    assertEquals(Boolean.TRUE, refused.at("errors"));
    assertEquals(404, refused.number("items.0.index.status"));
  }

  public void testSameIndexByTwoNamesIsOnePart() throws IOException {
    createRouted("behind");
    ok("POST", "/_aliases", "{\"actions\":[{\"add\":{\"index\":\"behind\",\"alias\":\"front\"}}]}");
    long before = counted("bulks_routed");
    bulk(
        "/_bulk",
        items("{\"index\":{\"_index\":\"front\"}}", 10)
            + items("{\"index\":{\"_index\":\"behind\"}}", 10));
    assertEquals(1, routings("behind").size());
    assertEquals(1, counted("bulks_routed") - before);
  }

  public void testDataStream() throws IOException {
    ok(
        "PUT",
        "/_index_template/streams",
        """
        {"index_patterns":["stream-*"],"data_stream":{},"priority":500,"template":{"settings":{
          "number_of_shards":12,"number_of_replicas":0,"index.bulk_routing.enabled":true}}}\
        """);
    String document = "{\"create\":{}}\n{\"@timestamp\":\"2026-11-21T00:00:00Z\"}\n";
    bulk("/stream-a/_bulk", document.repeat(20));
    bulk("/stream-a/_bulk", document.repeat(20));
    Set<String> routings = routings("stream-a");
    assertTrue(routings.toString(), routings.size() <= 2 + 20); // the first bulk may be spread
    ok("POST", "/stream-a/_rollover");
    bulk("/stream-a/_bulk", document.repeat(20));
    ok("POST", "/stream-a/_refresh");
    Set<Object> newest = new HashSet<>();
    for (Map<?, ?> hit : ok("GET", "/.ds-stream-a-000002/_search?size=100").maps("hits.hits")) {
      newest.add(String.valueOf(hit.get("_routing")));
    }
    assertEquals(newest.toString(), 1, newest.size());
    assertFalse(newest.contains("null"));
    Answer refused = ok("POST", "/stream-a/_bulk?routing=x", document.repeat(2));
    assertEquals(Boolean.TRUE, refused.at("errors"));
    ok("DELETE", "/_data_stream/stream-a");
  }

  public void testIndexThatTheBulkCreates() throws IOException {
    ok(
        "PUT",
        "/_index_template/auto",
        """
        {"index_patterns":["auto-*"],"priority":500,"template":{"settings":{
          "number_of_shards":12,"number_of_replicas":0,"index.bulk_routing.enabled":true}}}\
        """);
    bulk("/auto-1/_bulk", items(INDEX, 20));
    assertEquals("no index had opted in", Set.of("none"), routings("auto-1"));
    bulk("/auto-1/_bulk", items(INDEX, 20));
    assertEquals(2, routings("auto-1").size());
    // some index opted in by now: the bulk that creates an index is covered as well
    bulk("/auto-2/_bulk", items(INDEX, 20));
    assertEquals(1, routings("auto-2").size());
    assertFalse(routings("auto-2").contains("none"));
    bulk("/%3Cauto-%7Bnow%2Fd%7D%3E/_bulk", items(INDEX, 20));
    bulk("/%3Cauto-%7Bnow%2Fd%7D%3E/_bulk", items(INDEX, 20));
    assertFalse(routings("auto-2*,-auto-2").contains("none"));
  }

  public void testPipelines() throws IOException {
    pipeline("harmless", "tag", "x");
    pipeline("own-id", "_id", "always");
    pipeline("own-routing", "_routing", "mine");
    pipeline("redirect", "_index", "target");
    createRouted("target");
    createRouted("piped");
    bulk("/piped/_bulk?pipeline=harmless", items(INDEX, 20));
    assertEquals(1, routings("piped").size());
    assertFalse(routings("piped").contains("none"));
    assertEquals("x", ok("GET", "/piped/_search?size=1").at("hits.hits.0._source.tag"));

    createIndex("ids", 12, "");
    bulk("/ids/_bulk?pipeline=own-id", items(INDEX, 20));
    assertEquals(Set.of("none"), routings("ids"));
    assertEquals(1, ok("GET", "/ids/_count").number("count"));
    assertEquals(Boolean.TRUE, ok("GET", "/ids/_doc/always").at("found"));

    createIndex("routed", 12, "");
    ok("PUT", "/routed/_settings", "{\"index.final_pipeline\":\"own-routing\"}");
    bulk("/routed/_bulk", items(INDEX, 20));
    assertEquals(Set.of("mine"), routings("routed"));

    ok(
        "PUT",
        "/elsewhere",
        "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0,\"index.default_pipeline\":\"redirect\"}}");
    bulk("/elsewhere/_bulk", items(INDEX, 20));
    assertEquals(20, docsPerShard("target", 12).stream().mapToLong(n -> n).max().orElseThrow());
    assertEquals(1, routings("target").size());
    assertFalse(routings("target").contains("none"));
    assertEquals(0, ok("GET", "/elsewhere/_count").number("count"));
  }

  public void testRequiredRoutingStaysRequired() throws IOException {
    String required = ",\"mappings\":{\"_routing\":{\"required\":true}}";
    createIndex("required", 12, required);
    ok("PUT", "/stock", "{\"settings\":{\"number_of_shards\":12}" + required + "}");
    ok(
        "PUT",
        "/partitioned",
        "{\"settings\":{\"number_of_shards\":12,\"number_of_replicas\":0,\"routing_partition_size\":3,"
            + "\"bulk_routing.enabled\":true}"
            + required
            + "}");
    for (String action : List.of(INDEX, "{\"index\":{\"_id\":\"mine\"}}")) {
      // stock 3.8.0 answers 500 where the id is missing, too: RoutingMissingException refuses null
      Answer stock = call("POST", "/stock/_bulk", items(action, 3));
      for (String index : List.of("required", "partitioned")) {
        Answer ours = call("POST", "/" + index + "/_bulk", items(action, 3));
        assertEquals(stock.status(), ours.status());
        assertEquals(stock.at("error"), ours.at("error"));
        assertEquals(stock.at("items.0.index.error.type"), ours.at("items.0.index.error.type"));
      }
    }
    bulk("/partitioned/_bulk?routing=mine", items(INDEX, 30));
    assertEquals(Set.of("mine"), routings("partitioned"));
  }

  public void testFailingItemsFailAlone() throws IOException {
    createIndex("strict", 12, ",\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"}}}");
    Answer answer =
        ok(
            "POST",
            "/strict/_bulk",
            items(INDEX, 10) + INDEX + "\n{\"n\":\"words\"}\n" + items(INDEX, 9));
    assertEquals(Boolean.TRUE, answer.at("errors"));
    assertEquals(400, answer.number("items.10.index.status"));
    assertEquals(19, docsPerShard("strict", 12).stream().mapToLong(n -> n).max().orElseThrow());
  }

  public void testOneShardIsLeftAlone() throws IOException {
    createIndex("one", 1, "");
    bulk("/one/_bulk", items(INDEX, 10));
    assertEquals(Set.of("none"), routings("one"));
  }

  public void testSwitchOff() throws IOException {
    createRouted("logs");
    String setting = "{\"persistent\":{\"millrace.write.bulk_routing.enabled\":%s}}";
    ok("PUT", "/_cluster/settings", setting.formatted("false"));
    try {
      bulk("/logs/_bulk", items(INDEX, 60));
      assertEquals(Set.of("none"), routings("logs"));
      assertEquals(Boolean.FALSE, ok("GET", STATS).at("features.write\\.bulk-routing.on"));
    } finally {
      ok("PUT", "/_cluster/settings", setting.formatted("null"));
    }
  }

  public void testBadValueIsNamed() throws IOException {
    Answer refused = call("PUT", "/bad", "{\"settings\":{\"bulk_routing.enabled\":\"maybe\"}}");
    assertEquals(400, refused.status());
    assertTrue(refused.text(), refused.text().contains("maybe"));
    assertTrue(refused.text(), refused.text().contains("true"));
    refused = call("PUT", "/bad", "{\"settings\":{\"bulk_routing.enable\":true}}");
    assertEquals(400, refused.status());
    assertTrue(
        refused.text(), refused.text().contains("did you mean [index.bulk_routing.enabled]"));
  }

  public void testManyBulksAtOnce() throws IOException, InterruptedException, ExecutionException {
    createRouted("busy");
    ExecutorService clients = Executors.newFixedThreadPool(4);
    try {
      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        answers.add(clients.submit(() -> bulk("/busy/_bulk", items(CREATE, 25))));
      }
      for (Future<Answer> answer : answers) {
        assertEquals(25, answer.get().maps("items").size());
      }
    } finally {
      clients.shutdown();
    }
    ok("POST", "/busy/_refresh");
    assertEquals(1000, ok("GET", "/busy/_count").number("count"));
    for (long documents : docsPerShard("busy", 12)) {
      assertEquals("whole bulks only", 0, documents % 25);
    }
  }
}
