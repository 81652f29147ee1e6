package io.millrace.plugin.rest;

import java.io.IOException;
import java.util.Map;
import org.opensearch.common.settings.Settings;

/** The stats API as a client sees it. */
public class StatsNodeTests extends RestNodeTestCase {
  private static final String ROUTING = "write\\.bulk-routing";

  public void testFeatures() throws IOException {
    Answer answer = ok("GET", "/_millrace");
    assertEquals(1, answer.number("_nodes.total"));
    assertEquals(1, answer.number("_nodes.successful"));
    assertEquals("3.8.0", answer.at("version.opensearch"));
    assertTrue(String.valueOf(answer.at("version.number")).startsWith("3.8.0."));
    assertTrue(answer.text(), answer.maps("warnings").isEmpty());
    assertTrue(String.valueOf(answer.at("features." + ROUTING + ".summary")).contains("shard"));
    assertTrue(
        answer.at("features." + ROUTING + ".on") instanceof Map<?, ?> on
            && on.values().stream().allMatch(Boolean.TRUE::equals));
    assertTrue(answer.at("nodes") instanceof Map<?, ?> nodes && nodes.size() == 1);
  }

  public void testStats() throws IOException {
    Answer all = ok("GET", "/_millrace/stats");
    String metric = "features." + ROUTING + ".metrics.items_routed";
    assertEquals("counter", all.at(metric + ".kind"));
    assertEquals("items", all.at(metric + ".unit"));
    assertEquals(4, all.maps("features." + ROUTING + ".metrics.bulks_untouched.samples").size());
    assertNotNull(all.at("features.write\\.keyword-truncation"));
    String node = ((Map<?, ?>) all.at("nodes")).keySet().iterator().next().toString();
    assertNotNull(all.at("nodes." + node + "." + metric));
    Answer one = ok("GET", "/_millrace/stats/" + node + "?feature=write.bulk-routing");
    assertNotNull(one.at(metric));
    assertNull(one.at("features.write\\.keyword-truncation"));
    assertEquals(0, ok("GET", "/_millrace/stats/nobody").number("_nodes.total"));
  }

  public void testCat() throws IOException {
    String rows = ok("GET", "/_cat/millrace?v&h=node,feature,on&s=feature:desc").text();
    assertTrue(rows, rows.startsWith("node"));
    assertTrue(rows, rows.indexOf("keyword-truncation") < rows.indexOf("bulk-routing"));
    assertTrue(rows, rows.contains("true"));
    String help = ok("GET", "/_cat/millrace?help").text();
    for (String column : new String[] {"id", "node", "version", "feature", "on", "reason"}) {
      assertTrue(help, help.contains(column));
    }
    assertTrue(ok("GET", "/_cat/millrace?format=json").text().startsWith("["));
    assertTrue(ok("GET", "/_cat").text().contains("/_cat/millrace"));
  }

  public void testAnswersThoughTheBreakersRefuseRequests() throws IOException {
    String limit = "network.breaker.inflight_requests.limit";
    set(Settings.builder().put(limit, "0b"));
    try {
      assertEquals(429, call("GET", "/_search").status());
      for (String path :
          new String[] {
            "/_millrace",
            "/_millrace/",
            "/_millrace/stats",
            "/_millrace/gc",
            "/_millrace/alarms",
            "/_cat/millrace",
            "/_prometheus/metrics"
          }) {
        ok("GET", path);
      }
    } finally {
      set(Settings.builder().putNull(limit));
    }
    ok("GET", "/_search");
  }

  private static void set(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  public void testBadInput() throws IOException {
    Answer refused = call("GET", "/_millrace/stats?feature=write.bulk_routing");
    assertEquals(400, refused.status());
    assertTrue(refused.text(), refused.text().contains("write.bulk-routing"));
    for (String path : new String[] {"/_millrace", "/_millrace/stats", "/_cat/millrace"}) {
      refused = call("GET", path + "?nonsense=1");
      assertEquals(400, refused.status());
      assertTrue(refused.text(), refused.text().contains("unrecognized parameter: [nonsense]"));
      assertEquals(405, call("POST", path).status());
      refused = call("GET", path + "?timeout=soon");
      assertEquals(400, refused.status());
    }
  }
}
