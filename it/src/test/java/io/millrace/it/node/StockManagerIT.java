package io.millrace.it.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.support.Lines;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A node without the plugin that may be elected cluster manager, and is: the node with the plugin
 * says so, what is written before and after stays, and what such a manager cannot take is refused
 * and not lost in silence.
 */
class StockManagerIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String ALARM = "managers_without_plugin";

  @Test
  void aManagerWithoutThePluginIsSaidAndLosesNothing() {
    try (Cluster cluster =
        Cluster.mixed()
            .node(Tree.MILLRACE)
            .node(Tree.STOCK)
            .set("cluster.initial_cluster_manager_nodes", "node-0")
            .start()) {
      JsonHttp millrace = cluster.node(0).http();
      JsonHttp stock = cluster.node(1).http();
      awaitManager(millrace, "node-0");
      awaitAlarm(millrace);
      Await.until(
          "the warning in the log",
          PATIENCE,
          () -> cluster.node(0).log().contains("[node-1] lack the plugin [millrace] and may be"));
      String warnings = millrace.get("/_millrace").ok().at("/warnings").toString();
      assertTrue(warnings.contains("while it is cluster manager"), warnings);

      millrace
          .put(
              "/ours",
              "{\"settings\":{\"number_of_replicas\":0,\"index.codec\":\"zstandard\","
                  + "\"index.millrace.columnar_source.enabled\":true,"
                  + "\"index.routing.allocation.require._name\":\"node-0\"},"
                  + "\"mappings\":{\"properties\":{\"message\":{\"type\":\"log_text\"}}}}")
          .ok();
      cluster.awaitGreen();
      Lines.load(millrace, "ours", 1, 100);
      String settings = settings(millrace);

      exclude(millrace, "node-0");
      awaitManager(millrace, "node-1");
      awaitAlarm(millrace);
      assertEquals(settings, settings(stock));
      Lines.accepted(stock.post("/ours/_bulk", Lines.bulk(100, 200))); // no new field
      JsonAnswer refused =
          millrace.post("/ours/_bulk", "{\"index\":{}}\n{\"n\":200,\"another\":\"field\"}\n").ok();
      assertTrue(refused.at("/errors").asBoolean(), refused.toString());
      assertCount(stock, 200);
      assertRefusedByName(millrace.post("/_millrace/manager/_handover?to=node-0"));
      assertRefusedByName(millrace.post("/_millrace/restart/_begin?node=node-0"));
      assertRefusedByName(millrace.get("/_millrace/balance"));

      millrace.delete("/_cluster/voting_config_exclusions?wait_for_removal=false").ok();
      exclude(millrace, "node-1");
      awaitManager(millrace, "node-0");
      Lines.accepted(
          millrace.post("/ours/_bulk", "{\"index\":{}}\n{\"n\":200,\"another\":\"field\"}\n"));
      assertCount(millrace, 201);
      assertEquals(settings, settings(millrace));
    }
  }

  private static void exclude(JsonHttp http, String node) {
    http.post("/_cluster/voting_config_exclusions?node_names=" + node).ok();
  }

  private static void awaitManager(JsonHttp http, String node) {
    Await.until(
        node + " to be elected",
        PATIENCE,
        () -> http.get("/_cat/cluster_manager?h=node").body().strip().equals(node));
  }

  /** The alarm is looked at every few seconds. */
  private static void awaitAlarm(JsonHttp http) {
    Await.until(
        "the alarm " + ALARM,
        PATIENCE,
        () -> http.get("/_millrace/alarms").ok().json().findPath(ALARM).path("firing").asBoolean());
  }

  /** What only the manager can do is refused with its name, and not for want of a handler. */
  private static void assertRefusedByName(JsonAnswer answer) {
    assertEquals(503, answer.status(), answer.toString());
    assertTrue(answer.body().contains("[node-1] is one without the plugin"), answer.toString());
  }

  private static String settings(JsonHttp http) {
    return http.get("/ours/_settings?flat_settings=true").ok().body();
  }

  private static void assertCount(JsonHttp http, int documents) {
    http.post("/ours/_refresh").ok();
    assertEquals(documents, http.get("/ours/_count").ok().at("/count").asInt());
  }
}
