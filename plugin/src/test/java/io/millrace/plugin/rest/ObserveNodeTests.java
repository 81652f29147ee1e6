package io.millrace.plugin.rest;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reports of the observe domain as a client sees them. */
public class ObserveNodeTests extends RestNodeTestCase {
  private static String node(Answer answer) {
    return ((Map<?, ?>) answer.at("nodes")).keySet().iterator().next().toString();
  }

  public void testGc() throws IOException {
    Answer all = ok("GET", "/_millrace/gc");
    assertEquals(1, all.number("_nodes.successful"));
    String at = "nodes." + node(all);
    // the collector is the JVM's choice: another one on a machine of one core
    String collector = ManagementFactory.getGarbageCollectorMXBeans().getFirst().getName();
    assertTrue(all.number(at + ".gc.collectors." + collector + ".collection_count") >= 0);
    assertTrue(all.number(at + ".rates.allocated_in_bytes") > 0);
    assertTrue(all.number(at + ".heap.max_in_bytes") > 0);
    assertEquals(1, ok("GET", "/_millrace/gc/" + node(all)).number("_nodes.total"));
    assertEquals(0, ok("GET", "/_millrace/gc/nobody").number("_nodes.total"));
    assertEquals(400, call("GET", "/_millrace/gc?nonsense=1").status());
    assertEquals(405, call("POST", "/_millrace/gc").status());
  }

  public void testFreshness() throws IOException {
    ok(
        "PUT",
        "/app",
        "{\"settings\":{\"index.millrace.profile\":\"logs\",\"number_of_replicas\":0}}");
    ok("POST", "/app/_doc", "{\"n\":1}");
    ok("POST", "/app/_refresh");
    Answer all = ok("GET", "/_millrace/freshness");
    String at = "nodes." + node(all) + ".indices.app";
    assertEquals("logs", all.at(at + ".profile"));
    assertEquals(30_000, all.number(at + ".target_in_millis"));
    assertTrue(all.text(), all.number(at + ".waits.count") >= 1);
    assertEquals(all.text(), Boolean.FALSE, all.at(at + ".late"));
  }

  public void testAlarms() throws Exception {
    assertBusy(
        () -> {
          Answer all = ok("GET", "/_millrace/alarms");
          assertNotNull(all.at("nodes." + node(all) + ".alarms.rejected_writes.action"));
        },
        120,
        TimeUnit.SECONDS);
  }

  public void testAFullDiskNamesWhatRetentionWouldDelete() throws Exception {
    ok("PUT", "/sold-2020.01.01", "{\"settings\":{\"number_of_replicas\":0}}");
    String watermarks = "cluster.routing.allocation.disk.watermark";
    ok(
        "PUT",
        "/_cluster/settings",
        "{\"transient\":{\"millrace.pipelines.retention.rules\":[\"sold-* max_age=9d\"],\""
            + watermarks
            + "\":{\"low\":\"900pb\",\"high\":\"1b\",\"flood_stage\":\"1b\"}}}");
    try {
      assertBusy(
          () -> {
            Answer all = ok("GET", "/_millrace/alarms");
            String action = String.valueOf(all.at("nodes." + node(all) + ".alarms.disk.action"));
            assertTrue(
                action,
                action.contains("Retention would delete next [sold-2020.01.01], which frees ["));
          },
          120,
          TimeUnit.SECONDS);
      assertEquals("nothing is deleted", 200, call("GET", "/sold-2020.01.01").status());
    } finally {
      ok(
          "PUT",
          "/_cluster/settings",
          "{\"transient\":{\"millrace.pipelines.retention.rules\":null,\""
              + watermarks
              + "\":{\"low\":null,\"high\":null,\"flood_stage\":null}}}");
    }
  }

  public void testBusiestShards() throws Exception {
    ok("PUT", "/busy", "{\"settings\":{\"number_of_replicas\":0}}");
    ok("GET", "/_millrace/shards");
    // a look is taken at most every two seconds
    assertBusy(
        () -> {
          bulk("/busy/_bulk", items("{\"index\":{}}", 50));
          Answer all = ok("GET", "/_millrace/shards");
          String at = "nodes." + node(all);
          assertTrue(all.text(), all.number(at + ".shards_total") >= 1);
          assertFalse(all.text(), all.maps(at + ".shards").isEmpty());
          assertEquals(all.text(), "busy", all.at(at + ".shards.0.index"));
          assertEquals(all.text(), "busy", all.at(at + ".indices.0.index"));
        },
        120,
        TimeUnit.SECONDS);
    assertEquals(400, call("GET", "/_millrace/shards?nonsense=1").status());
  }

  public void testPageAndApiShareAPath() throws IOException {
    assertTrue(ok("GET", "/_millrace/").text().startsWith("<!doctype html>"));
    assertNotNull(ok("GET", "/_millrace").at("features.observe\\.dashboard"));
    try {
      ok(
          "PUT",
          "/_cluster/settings",
          "{\"transient\":{\"millrace.observe.dashboard.enabled\":false}}");
      assertNotNull(ok("GET", "/_millrace/").at("features.observe\\.dashboard"));
    } finally {
      ok(
          "PUT",
          "/_cluster/settings",
          "{\"transient\":{\"millrace.observe.dashboard.enabled\":null}}");
    }
  }

  public void testAllOffWatchesNothing() throws Exception {
    ok("PUT", "/_cluster/settings", all(false));
    try {
      ok("PUT", "/unwatched", "{\"settings\":{\"number_of_replicas\":0}}");
      bulk("/unwatched/_bulk?refresh=true", items("{\"index\":{}}", 20));
      assertEquals(20, ok("GET", "/unwatched/_count").number("count"));
      Answer freshness = ok("GET", "/_millrace/freshness");
      String index = "nodes." + node(freshness) + ".indices.unwatched";
      assertEquals(freshness.text(), 0, freshness.number(index + ".waits.count"));
      assertEquals(freshness.text(), 0, freshness.number(index + ".waiting_in_millis"));
      assertEquals(404, call("GET", "/_prometheus/metrics").status());
      Answer shards = ok("GET", "/_millrace/shards");
      assertTrue(shards.text(), shards.maps("nodes." + node(shards) + ".shards").isEmpty());
      assertFalse(ok("GET", "/_millrace/").text().startsWith("<!doctype"));
      assertBusy(
          () -> {
            Answer alarms = ok("GET", "/_millrace/alarms");
            assertEquals(alarms.text(), Map.of(), alarms.at("nodes." + node(alarms) + ".alarms"));
          },
          120,
          TimeUnit.SECONDS);
    } finally {
      ok("PUT", "/_cluster/settings", all(null));
    }
  }

  private static String all(@Nullable Boolean on) {
    return Stream.of("gc", "freshness", "alarms", "prometheus", "dashboard")
        .map(feature -> "\"millrace.observe." + feature + ".enabled\":" + on)
        .collect(Collectors.joining(",", "{\"transient\":{", "}}"));
  }
}
