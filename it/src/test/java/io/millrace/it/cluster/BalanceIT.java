package io.millrace.it.cluster;

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
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Shards that are written to leave the node that has all of them, and the reason is said. */
class BalanceIT {
  private static final List<String> BUSY = List.of("busy-a", "busy-b", "busy-c", "busy-d");

  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        Cluster.of(Tree.MILLRACE, 3)
            .set("millrace.cluster.balance.interval", "1s")
            .set("millrace.cluster.balance.window", "10s")
            .set("millrace.cluster.balance.least_write_load", "0.001")
            .start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static JsonHttp http() {
    return cluster.node(0).http();
  }

  private static void write() {
    for (String index : BUSY) {
      Lines.load(http(), index, 1, 500);
    }
  }

  private static JsonNode balance(int moves) {
    return http().get("/_millrace/balance?moves=" + moves).ok().at("");
  }

  @Test
  void busyShardsLeaveTheNodeThatHasAllOfThem() {
    for (String index : BUSY) {
      http()
          .put(
              "/" + index,
              "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0,"
                  + "\"index.routing.allocation.require._name\":\"node-0\"}}")
          .ok();
    }
    cluster.awaitGreen();
    Await.until(
        "the rates of the busy indices are known",
        Duration.ofMinutes(3),
        () -> {
          write();
          return balance(0).at("/indices_with_known_rates").asInt() >= BUSY.size();
        });
    http().put("/busy-*/_settings", "{\"index.routing.allocation.require._name\":null}").ok();
    Await.until(
        "a busy shard moves",
        Duration.ofMinutes(3),
        () -> {
          write();
          return !balance(100).at("/moves").isEmpty();
        });
    JsonNode moves = balance(100).at("/moves");
    JsonNode first = moves.get(moves.size() - 1);
    assertEquals("node-0", first.at("/from/node").asText(), first.toString());
    assertEquals(3, balance(0).at("/nodes").size());
    http().get("/_cluster/health?wait_for_no_relocating_shards=true&timeout=60s").ok();
    JsonAnswer explained =
        http()
            .post(
                "/_cluster/allocation/explain",
                "{\"index\":\"" + first.at("/index").asText() + "\",\"shard\":0,\"primary\":true}")
            .ok();
    assertTrue(explained.body().contains("millrace.cluster.balance.quiet_time"), explained.body());
  }

  @Test
  void badParametersAreNamed() {
    for (String bad : List.of("moves=-1", "moves=101", "moves=all", "shards=3")) {
      JsonAnswer answer = http().get("/_millrace/balance?" + bad);
      assertEquals(400, answer.status());
      assertTrue(answer.body().contains(bad.substring(0, bad.indexOf('='))), answer.body());
    }
  }
}
