package io.millrace.it.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.compare.Answers;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code write.bulk-routing} on three nodes: one shard request instead of one per shard, and the
 * same answers.
 *
 * <p>Shard requests are counted from the shards' own indexing statistics: a bulk makes at most one
 * request per shard, so the shards whose count one bulk raised are its requests. The write thread
 * pool's count of completed tasks confirms it from the other side.
 */
class BulkRoutingIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 3);

  private static final String ROUTED = "\"index.bulk_routing.enabled\":true";

  private static JsonHttp http() {
    return CLUSTER.http();
  }

  private static void create(String index, int shards, int replicas, String more) {
    http()
        .put(
            "/" + index,
            "{\"settings\":{\"number_of_shards\":%d,\"number_of_replicas\":%d%s}}"
                .formatted(shards, replicas, more.isEmpty() ? "" : "," + more))
        .ok();
    CLUSTER.get().awaitGreen();
  }

  /** How many shards of the index or data stream this one bulk wrote to. */
  private static int shardRequests(String index, Runnable bulk) {
    Map<String, Integer> before = written(index);
    bulk.run();
    Map<String, Integer> after = written(index);
    return (int)
        after.entrySet().stream()
            .filter(shard -> shard.getValue() > before.getOrDefault(shard.getKey(), 0))
            .count();
  }

  private static int shardRequests(String index, String target, String body) {
    return shardRequests(index, () -> Lines.accepted(http().post(target + "/_bulk", body)));
  }

  /** Documents that each primary has indexed so far, by index and shard. */
  private static Map<String, Integer> written(String index) {
    Map<String, Integer> written = new TreeMap<>();
    JsonAnswer stats = http().get("/" + index + "/_stats/indexing?level=shards");
    if (stats.status() == 404) {
      return written;
    }
    JsonNode indices = stats.ok().at("/indices");
    indices
        .properties()
        .forEach(each ->
            each.getValue()
                .get("shards")
                .properties()
                .forEach(shard -> {
                  for (JsonNode copy : shard.getValue()) {
                    if (copy.at("/routing/primary").asBoolean()) {
                      written.put(
                          each.getKey() + "/" + shard.getKey(),
                          copy.at("/indexing/index_total").asInt());
                    }
                  }
                }));
    return written;
  }

  /** Shards that hold documents: the requests of the only bulk so far. */
  private static long shardsWritten(String index) {
    return written(index).values().stream().filter(documents -> documents > 0).count();
  }

  /** Tasks that the write pools of all nodes have completed. */
  private static int writeTasks() {
    int tasks = 0;
    for (JsonNode node : http().get("/_nodes/stats/thread_pool").ok().at("/nodes")) {
      tasks += node.at("/thread_pool/write/completed").asInt();
    }
    return tasks;
  }

  /**
   * The same, once no task is under way and at least so many are done: a task is counted only after
   * it has answered.
   */
  private static int settledWriteTasks(int least) {
    int[] tasks = {-1};
    Await.until(
        least + " tasks of the write pools",
        Duration.ofMinutes(1),
        () -> {
          int before = tasks[0];
          tasks[0] = writeTasks();
          return tasks[0] >= least && tasks[0] == before;
        });
    return tasks[0];
  }

  private static int count(String index, String parameters) {
    http().post("/" + index + "/_refresh").ok();
    return http().get("/" + index + "/_count?" + parameters).ok().at("/count").asInt();
  }

  @Test
  void aBulkIsOneShardRequestInsteadOf120AndTheAnswersAreEqual() {
    create("routed", 120, 0, ROUTED);
    create("spread", 120, 0, "");
    // the first bulk brings the mapping; a bulk that changes it is run twice on its shards
    Lines.load(http(), "routed", 1, 500);
    Lines.load(http(), "spread", 1, 500);
    int start = settledWriteTasks(0);
    int routed = 0;
    for (int i = 1; i < 6; i++) {
      routed += shardRequests("routed", "/routed", Lines.bulk(i * 500, (i + 1) * 500));
    }
    int between = settledWriteTasks(start + routed);
    int spread = 0;
    for (int i = 1; i < 6; i++) {
      spread += shardRequests("spread", "/spread", Lines.bulk(i * 500, (i + 1) * 500));
    }
    int end = settledWriteTasks(between + spread);
    assertEquals(5, routed);
    assertEquals(5, between - start, "tasks of the write pools");
    // 500 ids hit nearly all of 120 shards
    assertTrue(spread > 5 * 100, "stock spreads: " + spread);
    assertEquals(spread, end - between, "tasks of the write pools");

    http().post("/routed,spread/_refresh").ok();
    for (String search :
        new String[] {
          "{\"size\":100,\"sort\":[\"n\"],\"track_total_hits\":true}",
          "{\"size\":50,\"sort\":[\"n\"],\"query\":{\"match\":{\"message\":\"request 777\"}}}",
          "{\"size\":10,\"sort\":[{\"n\":\"desc\"}],\"query\":{\"term\":{\"level.keyword\":\"ERROR\"}}}",
          "{\"size\":0,\"aggs\":{\"h\":{\"terms\":{\"field\":\"host.keyword\",\"size\":20},\"aggs\":{\"s\":{\"stats\":{\"field\":\"n\"}}}},"
              + "\"d\":{\"date_histogram\":{\"field\":\"@timestamp\",\"fixed_interval\":\"10m\"}}}}",
        }) {
      Answers answers = new Answers().forgetIds().forget("_routing");
      assertEquals(
          answers.normal(http().post("/spread/_search", search).ok().json(), "spread", "index"),
          answers.normal(http().post("/routed/_search", search).ok().json(), "routed", "index"),
          search);
    }
  }

  @Test
  void bulksTakeTheShardsInTurn() {
    create("turns", 12, 0, ROUTED);
    Lines.load(http(), "turns", 36, 20);
    Map<String, Integer> perShard = written("turns");
    assertEquals(12, perShard.size());
    perShard.forEach((shard, documents) -> assertEquals(3 * 20, documents, shard));
  }

  @Test
  void replicasOnOtherNodesHoldTheSameAndSurviveTheLossOfANode() throws Exception {
    create("copied", 12, 1, ROUTED);
    Lines.load(http(), "copied", 24, 100);
    assertEquals(2400, count("copied", "preference=_primary"));
    assertEquals(2400, count("copied", "preference=_replica"));

    CLUSTER.get().node(2).kill();
    CLUSTER.get().awaitNodes(2);
    CLUSTER.get().awaitYellow();
    assertEquals(2400, count("copied", ""));
    for (int i = 24; i < 36; i++) {
      Lines.accepted(http().post("/copied/_bulk", Lines.bulk(i * 100, (i + 1) * 100)));
    }
    CLUSTER.get().node(2).start();
    CLUSTER.get().node(2).awaitAnswer();
    CLUSTER.get().awaitNodes(3);
    CLUSTER.get().awaitGreen();
    assertEquals(3600, count("copied", "preference=_primary"));
    assertEquals(3600, count("copied", "preference=_replica"));
    JsonNode distinct =
        http()
            .post(
                "/copied/_search",
                "{\"size\":0,\"aggs\":{\"n\":{\"cardinality\":{\"field\":\"n\",\"precision_threshold\":40000}}}}")
            .ok()
            .at("/aggregations/n/value");
    assertEquals(3600, distinct.asInt());
  }

  @Test
  void aHitCarriesTheRoutingThatReadsItById() {
    create("byid", 12, 0, ROUTED);
    Lines.load(http(), "byid", 2, 50);
    http().post("/byid/_refresh").ok();
    JsonNode hit = http().get("/byid/_search?size=1&q=n:42").ok().at("/hits/hits/0");
    String id = hit.at("/_id").asText();
    String routing = hit.at("/_routing").asText();
    assertFalse(routing.isEmpty(), hit.toString());
    assertEquals(
        42, http().get("/byid/_doc/" + id + "?routing=" + routing).ok().at("/_source/n").asInt());
    assertEquals(
        1,
        http()
            .post("/byid/_search", "{\"query\":{\"ids\":{\"values\":[\"" + id + "\"]}}}")
            .ok()
            .at("/hits/total/value")
            .asInt());
    assertEquals(200, http().delete("/byid/_doc/" + id + "?routing=" + routing).status());
  }

  @Test
  void ownIdsAndOwnRoutingsStayAsTheyCame() {
    create("own", 24, 0, ROUTED);
    int own =
        shardRequests(
            "own", "/own", Lines.bulk(0, 200, n -> "{\"index\":{\"_id\":\"d" + n + "\"}}"));
    assertTrue(own > 15, "own ids spread: " + own);
    assertEquals(7, http().get("/own/_doc/d7").ok().at("/_source/n").asInt());

    // one own id is enough to leave the index's part of the bulk alone
    create("one", 24, 0, ROUTED);
    int one =
        shardRequests(
            "one",
            "/one",
            Lines.bulk(0, 200, n -> n == 100 ? "{\"index\":{\"_id\":\"x\"}}" : "{\"index\":{}}"));
    assertTrue(one > 15, "one own id: " + one);
    assertEquals(100, http().get("/one/_doc/x").ok().at("/_source/n").asInt());

    create("routings", 24, 0, ROUTED);
    Lines.accepted(
        http()
            .post(
                "/routings/_bulk",
                Lines.bulk(0, 200, n -> "{\"index\":{\"routing\":\"r" + n % 20 + "\"}}")));
    http().post("/routings/_refresh").ok();
    assertEquals(10, http().get("/routings/_count?q=_routing:r3").ok().at("/count").asInt());
  }

  @Test
  void eachIndexOfAMixedBulkIsDecidedByItself() {
    create("mixed-on", 24, 0, ROUTED);
    create("mixed-ids", 24, 0, ROUTED);
    create("mixed-off", 24, 0, "");
    String body =
        Lines.bulk(
            0,
            300,
            n ->
                switch (n % 3) {
                  case 0 -> "{\"index\":{\"_index\":\"mixed-on\"}}";
                  case 1 -> "{\"index\":{\"_index\":\"mixed-ids\",\"_id\":\"" + n + "\"}}";
                  default -> "{\"index\":{\"_index\":\"mixed-off\"}}";
                });
    Lines.accepted(http().post("/_bulk?refresh=true", body));
    assertEquals(1, shardsWritten("mixed-on"));
    assertTrue(shardsWritten("mixed-ids") > 10);
    assertTrue(shardsWritten("mixed-off") > 10);
    assertEquals(300, count("mixed-*", ""));
  }

  @Test
  void pipelinesActFirst() {
    http()
        .put(
            "/_ingest/pipeline/stamp",
            "{\"processors\":[{\"set\":{\"field\":\"stamped\",\"value\":true}}]}")
        .ok();
    http()
        .put(
            "/_ingest/pipeline/own-id",
            "{\"processors\":[{\"set\":{\"field\":\"_id\",\"value\":\"p{{n}}\"}}]}")
        .ok();
    http()
        .put(
            "/_ingest/pipeline/own-routing",
            "{\"processors\":[{\"set\":{\"field\":\"_routing\",\"value\":\"{{host}}\"}}]}")
        .ok();
    create("piped", 24, 0, ROUTED);
    Lines.accepted(http().post("/piped/_bulk?pipeline=stamp", Lines.bulk(0, 200)));
    assertEquals(1, shardsWritten("piped"));
    assertEquals(200, count("piped", "q=stamped:true"));

    create("piped-id", 24, 0, ROUTED);
    Lines.accepted(http().post("/piped-id/_bulk?pipeline=own-id", Lines.bulk(0, 200)));
    assertEquals(12, http().get("/piped-id/_doc/p12").ok().at("/_source/n").asInt());

    create("piped-routing", 24, 0, ROUTED);
    Lines.accepted(http().post("/piped-routing/_bulk?pipeline=own-routing", Lines.bulk(0, 170)));
    assertEquals(10, count("piped-routing", "q=_routing:%22host-3%22"));
  }

  @Test
  void aliasesWriteAsTheirIndexUnlessTheyRoute() {
    create("target", 24, 0, ROUTED);
    http()
        .post(
            "/_aliases",
            "{\"actions\":[{\"add\":{\"index\":\"target\",\"alias\":\"plain\"}},"
                + "{\"add\":{\"index\":\"target\",\"alias\":\"pinned\",\"routing\":\"here\"}}]}")
        .ok();
    assertEquals(1, shardRequests("target", "/plain", Lines.bulk(0, 200)));
    Lines.accepted(http().post("/pinned/_bulk", Lines.bulk(200, 300)));
    assertEquals(300, count("target", ""));
    assertEquals(100, count("target", "q=_routing:here"));
    // the alias has no filter: it reads the whole shard of its routing, which the first bulk may
    // have had
    assertEquals(count("target", "routing=here"), count("pinned", ""));
  }

  @Test
  void dataStreamsAreRoutedAndRollOver() {
    http()
        .put(
            "/_index_template/streams",
            "{\"index_patterns\":[\"stream-*\"],\"data_stream\":{},\"template\":{\"settings\":"
                + "{\"number_of_shards\":24,\"number_of_replicas\":0,"
                + ROUTED
                + "}}}")
        .ok();
    http().put("/_data_stream/stream-a", "").ok();
    String create = Lines.bulk(0, 200, n -> "{\"create\":{}}");
    assertEquals(1, shardRequests("stream-a", "/stream-a", create));
    http().post("/stream-a/_rollover").ok();
    assertEquals(1, shardRequests("stream-a", "/stream-a", create));
    assertEquals(400, count("stream-a", ""));
    // stock's own rule for data streams stays: no custom routing
    assertTrue(
        http()
            .post("/stream-a/_bulk", Lines.bulk(0, 1, n -> "{\"create\":{\"routing\":\"r\"}}"))
            .ok()
            .at("/errors")
            .asBoolean());
  }

  @Test
  void anIndexThatABulkCreatesIsRoutedFromTheSecondBulkOn() {
    http()
        .put(
            "/_index_template/auto",
            "{\"index_patterns\":[\"auto-*\"],\"template\":{\"settings\":{\"number_of_shards\":24,"
                + "\"number_of_replicas\":0,"
                + ROUTED
                + "}}}")
        .ok();
    Lines.accepted(http().post("/auto-1/_bulk", Lines.bulk(0, 200)));
    assertEquals(1, shardRequests("auto-1", "/auto-1", Lines.bulk(200, 400)));
    assertEquals(400, count("auto-1", ""));
  }

  @Test
  void everyNodeRoutesAndTheSwitchTurnsAllOff() {
    create("switched", 24, 0, ROUTED);
    Set<String> routings = new HashSet<>();
    for (int node = 0; node < 3; node++) {
      JsonHttp other = CLUSTER.get().node(node).http();
      assertEquals(
          1,
          shardRequests(
              "switched", () -> Lines.accepted(other.post("/switched/_bulk", Lines.bulk(0, 200)))));
    }
    http().post("/switched/_refresh").ok();
    for (JsonNode hit : http().get("/switched/_search?size=600").ok().at("/hits/hits")) {
      routings.add(hit.at("/_routing").asText());
    }
    assertTrue(routings.size() <= 3, routings.toString());

    http()
        .put(
            "/_cluster/settings",
            "{\"persistent\":{\"millrace.write.bulk_routing.enabled\":false}}")
        .ok();
    int off = shardRequests("switched", "/switched", Lines.bulk(0, 200));
    assertTrue(off > 15, "off is stock: " + off);
  }

  @Test
  void aValueThatIsNoBooleanIsRefusedByName() {
    var answer = http().put("/bad", "{\"settings\":{\"index.bulk_routing.enabled\":\"maybe\"}}");
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains("maybe"), answer.toString());
    assertEquals(404, http().head("/bad").status());
  }
}
