package io.millrace.it.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A rolling installation on its way: one node has the plugin, the other does not. The cluster
 * works, and says what is missing where.
 */
class MixedClusterIT {
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        Cluster.mixed()
            .node(Tree.MILLRACE)
            .node(Tree.STOCK)
            // the stock node never becomes the one that validates settings
            .set(1, "node.roles", "[data, ingest]")
            .set("cluster.initial_cluster_manager_nodes", "node-0")
            .start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void wipe() {
    millrace().delete("/*").ok();
  }

  private static JsonHttp millrace() {
    return cluster.node(0).http();
  }

  private static JsonHttp stock() {
    return cluster.node(1).http();
  }

  @Test
  void anIndexWithoutOurSettingsWorksThroughBothNodes() {
    millrace()
        .put("/plain", "{\"settings\":{\"number_of_shards\":4,\"number_of_replicas\":1}}")
        .ok();
    cluster.awaitGreen();
    Lines.load(millrace(), "plain", 2, 200);
    Lines.accepted(stock().post("/plain/_bulk", Lines.bulk(400, 600)));
    millrace().post("/plain/_refresh").ok();
    for (String preference : new String[] {"_primary", "_replica"}) {
      String path = "/plain/_count?preference=" + preference;
      assertEquals(600, millrace().get(path).ok().at("/count").asInt());
      assertEquals(600, stock().get(path).ok().at("/count").asInt());
    }
  }

  @Test
  void theFeaturePageNamesTheNodeWithoutThePlugin() {
    JsonAnswer answer = millrace().get("/_millrace").ok();
    String warnings = answer.at("/warnings").toString();
    assertTrue(warnings.contains("node-1"), answer.toString());
    assertTrue(warnings.contains("install"), answer.toString());
    for (JsonNode node : answer.at("/nodes")) {
      assertEquals(node.at("/name").asText().equals("node-0"), node.at("/installed").asBoolean());
    }
    assertTrue(millrace().get("/_cat/millrace?v").ok().body().contains("missing"));
    // the other node has no such page, and says so as it does for any unknown path
    assertEquals(400, stock().get("/_millrace").status());
  }

  @Test
  void anIndexWithOurSettingsEitherWorksOrSaysWhy() {
    JsonAnswer created =
        millrace()
            .put(
                "/ours",
                "{\"settings\":{\"number_of_shards\":4,\"number_of_replicas\":1,"
                    + "\"index.bulk_routing.enabled\":true}}")
            .ok();
    assertTrue(created.at("/acknowledged").asBoolean());
    cluster.awaitYellow();
    Lines.load(millrace(), "ours", 8, 50);
    Lines.accepted(stock().post("/ours/_bulk", Lines.bulk(400, 500)));
    stock().post("/ours/_refresh").ok();
    assertEquals(500, stock().get("/ours/_count").ok().at("/count").asInt());
    assertEquals(500, millrace().get("/ours/_count").ok().at("/count").asInt());
  }

  @Test
  void anIndexOfOurCodecStaysOnNodesThatKnowIt() {
    millrace()
        .put(
            "/packed",
            "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0,"
                + "\"index.codec\":\"zstandard\","
                + "\"index.routing.allocation.require._name\":\"node-0\"}}")
        .ok();
    cluster.awaitGreen();
    Lines.load(stock(), "packed", 2, 100);
    millrace().post("/packed/_refresh").ok();
    assertEquals(200, stock().get("/packed/_count").ok().at("/count").asInt());
  }

  /**
   * The configuration of node-0 asks for templates and profiles, and node-1 could not open them.
   */
  @Test
  void nothingIsGivenByNameThatANodeCouldNotOpen() {
    Await.until(
        "the manager knows who lacks the plugin",
        Duration.ofSeconds(60),
        () -> {
          millrace().delete("/logs-*").ok();
          Lines.load(stock(), "logs-mixed", 1, 100);
          JsonAnswer settings = millrace().get("/logs-mixed/_settings?flat_settings=true").ok();
          return !settings.body().contains("millrace");
        });
    cluster.awaitGreen();
    stock().post("/logs-mixed/_refresh").ok();
    assertEquals(100, stock().get("/logs-mixed/_count").ok().at("/count").asInt());
    assertEquals(404, millrace().get("/_index_template/millrace-logs").status());
    String report = millrace().get("/_millrace/templates").ok().body();
    assertTrue(report.contains("absent"), report);
  }
}
