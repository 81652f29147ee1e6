package io.millrace.it.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A node of 512 MB serves on while clients try to fill its heap, and is as before when they have
 * left: the storms K1 (stalled uploads) and K3 (slow readers of deep pages), short.
 * StormComparisonIT shows what the same does to stock.
 */
class OverloadIT {
  private static final int MB = 1 << 20;

  private static final double LONGEST_OUTAGE = 5;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @Test
  void stalledUploadsDoNotTakeTheHeap() throws Exception {
    try (Cluster cluster = node().start();
        HealthGaps gaps = new HealthGaps(cluster.node(0).port())) {
      JsonHttp http = cluster.http();
      http.post("/_bulk", "{\"index\":{\"_index\":\"storm\"}}\n{\"n\":1}\n").ok();
      int acknowledged = 0;
      // 20 uploads of 60 MB: more than twice the heap
      try (Storm storm = Storm.stalledUploads(cluster.node(0).port(), 20, 60 * MB, 55 * MB)) {
        Await.until(
            "uploads to wait", LIMIT, () -> figure(http, "guard.inbound-budget", "waits") >= 10);
        for (int i = 0; i < 10; i++) {
          http.post("/kept/_bulk", Storm.bulk(acknowledged, 200, n -> "{\"n\":" + n + "}")).ok();
          acknowledged += 200;
        }
        Await.until(
            "stalled senders to be closed",
            LIMIT,
            () -> figure(http, "guard.inbound-budget", "slow_senders") >= 2);
        assertTrue(
            figure(http, "guard.inbound-budget", "large_used") <= 512 * MB * 0.15 + 60 * MB,
            "budget plus one body");
      }
      everythingIsBack(cluster, http);
      http.post("/kept/_refresh").ok();
      assertEquals(acknowledged, http.get("/kept/_count").ok().at("/count").asInt());
      System.out.printf(
          "longest outage %.1f s, heap after gc %,d%n",
          gaps.longestOutage(), figure(http, "observe.gc", "heap_after_gc"));
      assertTrue(gaps.longestOutage() < LONGEST_OUTAGE, gaps.longestOutage() + " s");
    }
  }

  @Test
  void slowReadersOfDeepPagesDoNotTakeTheHeap() throws Exception {
    try (Cluster cluster = node().start();
        HealthGaps gaps = new HealthGaps(cluster.node(0).port())) {
      JsonHttp http = cluster.http();
      String text = "a line of a log as long as lines are ".repeat(20);
      for (int from = 0; from < 12_000; from += 1000) {
        http.post(
                "/pages/_bulk",
                Storm.bulk(from, 1000, n -> "{\"n\":" + n + ",\"m\":\"" + text + "\"}"))
            .ok();
      }
      http.post("/pages/_refresh").ok();
      try (Storm storm =
          Storm.slowReaders(
              cluster.node(0).port(),
              8,
              100,
              "/pages/_search",
              "{\"size\":10000,\"query\":{\"match_all\":{}}}")) {
        Await.until(
            "peers that do not read to be closed",
            LIMIT,
            () ->
                figure(http, "guard.outbound-budget", "pressed_out")
                        + figure(http, "guard.outbound-budget", "stalled_readers")
                    >= 8);
        assertTrue(figure(http, "guard.outbound-budget", "pipeline_waits") >= 8);
      }
      everythingIsBack(cluster, http);
      assertEquals(12_000, http.get("/pages/_count").ok().at("/count").asInt());
      System.out.printf(
          "longest outage %.1f s, heap after gc %,d%n",
          gaps.longestOutage(), figure(http, "observe.gc", "heap_after_gc"));
      assertTrue(gaps.longestOutage() < LONGEST_OUTAGE, gaps.longestOutage() + " s");
    }
  }

  private static Cluster.Builder node() {
    return Cluster.of(Tree.MILLRACE, 1)
        .optimized()
        .heap("512m")
        .set("millrace.guard.outbound_budget.stall_timeout", "5s");
  }

  private static void everythingIsBack(Cluster cluster, JsonHttp http) {
    for (String figure : new String[] {"small_used", "large_used", "waiting"}) {
      Await.until(
          figure + " to be 0", LIMIT, () -> figure(http, "guard.inbound-budget", figure) == 0);
    }
    System.out.printf(
        "large peak %,d, outbound peak %,d, slow senders %d, pressed out %d, stalled readers %d%n",
        figure(http, "guard.inbound-budget", "large_peak"),
        figure(http, "guard.outbound-budget", "peak"),
        figure(http, "guard.inbound-budget", "slow_senders"),
        figure(http, "guard.outbound-budget", "pressed_out"),
        figure(http, "guard.outbound-budget", "stalled_readers"));
    Await.until(
        "no response to wait", LIMIT, () -> figure(http, "guard.outbound-budget", "pending") == 0);
    assertTrue(cluster.node(0).alive());
    assertFalse(
        cluster.node(0).log().contains("java.lang.OutOfMemoryError"), "no OutOfMemoryError");
    assertEquals(0, figure(http, "observe.gc", "full_collections"), "the heap was never full");
  }

  private static long figure(JsonHttp http, String feature, String metric) {
    JsonNode features = http.get("/_millrace/stats").ok().json();
    for (JsonNode value : features.findValues(feature)) {
      JsonNode found = value.at("/metrics/" + metric + "/value");
      if (!found.isMissingNode()) {
        return found.asLong();
      }
    }
    throw new AssertionError(feature + " " + metric + " in " + features);
  }
}
