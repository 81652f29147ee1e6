package io.millrace.plugin.rest;

import java.io.IOException;
import java.util.Map;

/** The reports of the observe domain as a client sees them. */
public class ObserveNodeTests extends RestNodeTestCase {
  private static String node(Answer answer) {
    return ((Map<?, ?>) answer.at("nodes")).keySet().iterator().next().toString();
  }

  public void testGc() throws IOException {
    Answer all = ok("GET", "/_millrace/gc");
    assertEquals(1, all.number("_nodes.successful"));
    String at = "nodes." + node(all);
    assertTrue(all.number(at + ".gc.collectors.G1 Young Generation.collection_count") >= 0);
    assertTrue(all.number(at + ".rates.allocated_in_bytes") > 0);
    assertTrue(all.number(at + ".heap.max_in_bytes") > 0);
    assertEquals(1, ok("GET", "/_millrace/gc/" + node(all)).number("_nodes.total"));
    assertEquals(0, ok("GET", "/_millrace/gc/nobody").number("_nodes.total"));
    assertEquals(400, call("GET", "/_millrace/gc?nonsense=1").status());
    assertEquals(405, call("POST", "/_millrace/gc").status());
  }
}
