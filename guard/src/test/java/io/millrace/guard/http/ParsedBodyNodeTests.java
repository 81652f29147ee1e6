package io.millrace.guard.http;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.guard.http.Wire.Response;
import java.io.IOException;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Bodies that become maps and lists, on the real HTTP server, with a limit of two megabytes. */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public class ParsedBodyNodeTests extends GuardedNodeTestCase {
  private static final String LIMIT = "millrace.guard.request_breaker.limit";
  private static final String MAPS = "[" + "{},".repeat(60_000) + "{}]";
  private static final String PIPELINE = "{\"processors\":[]}";

  private static Response ask(String method, String path, String body) throws IOException {
    try (Wire wire = wire()) {
      return wire.send(
              method
                  + " "
                  + path
                  + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"
                  + body)
          .response();
    }
  }

  private static void limit(String bytes) {
    set(Settings.builder().put(LIMIT, bytes));
  }

  @Override
  public void tearDown() throws Exception {
    await(() -> assertEquals(0, metric("guard.request-breaker", "parsed")));
    set(Settings.builder().putNull(LIMIT));
    super.tearDown();
  }

  /** No list of APIs: whatever it is, it becomes maps. */
  public void testEveryApiIsBounded() throws Exception {
    limit("2mb");
    String params = "{\"source\":\"1\",\"params\":{\"a\":" + MAPS + "}}";
    Map<String, String> bodies =
        Map.ofEntries(
            Map.entry("POST /b/_update/1", "{\"doc\":{\"a\":" + MAPS + "}}"),
            Map.entry(
                "POST /_ingest/pipeline/_simulate",
                "{\"docs\":[{\"_source\":{\"a\":" + MAPS + "}}]}"),
            Map.entry(
                "PUT /_index_template/t",
                "{\"index_patterns\":\"x\",\"_meta\":{\"a\":" + MAPS + "}}"),
            Map.entry("PUT /b", "{\"mappings\":{\"_meta\":{\"a\":" + MAPS + "}}}"),
            Map.entry("PUT /b/_mapping", "{\"_meta\":{\"a\":" + MAPS + "}}"),
            Map.entry("POST /_reindex", "{\"script\":" + params + "}"),
            Map.entry("POST /b/_update_by_query", "{\"script\":" + params + "}"),
            Map.entry("PUT /_cluster/settings", "{\"transient\":{\"a\":" + MAPS + "}}"),
            Map.entry("PUT /_scripts/s", "{\"script\":" + params + "}"),
            Map.entry("POST /_aliases", "{\"actions\":" + MAPS + "}"),
            Map.entry("POST /b/_search", "{\"script_fields\":{\"s\":{\"script\":" + params + "}}}"),
            Map.entry("GET /_search/template", params),
            Map.entry(
                "POST /b/_msearch", "{}\n{\"query\":{\"script\":{\"script\":" + params + "}}}\n"),
            Map.entry(
                "POST /b/_bulk", "{\"update\":{\"_id\":\"1\"}}\n{\"script\":" + params + "}\n"),
            Map.entry("POST /an/api/that/nobody/knows", MAPS));
    long refused = metric("guard.request-breaker", "bodies_over_limit");
    for (Map.Entry<String, String> each : bodies.entrySet()) {
      String[] target = each.getKey().split(" ");
      Response response = ask(target[0], target[1], each.getValue());
      assertEquals(each.getKey() + response.body(), 413, response.status());
      assertTrue(response.body(), response.body().contains(LIMIT));
      assertTrue(response.body(), response.body().contains("becomes maps and lists"));
    }
    assertEquals(bodies.size(), metric("guard.request-breaker", "bodies_over_limit") - refused);
  }

  public void testWithinTheLimitTheAnswerIsStocks() throws Exception {
    Response update =
        ask("POST", "/w/_update/1", "{\"doc_as_upsert\":true,\"doc\":{\"a\":" + MAPS + "}}");
    assertEquals(update.body(), 201, update.status());
    Response simulated =
        ask(
            "POST",
            "/_ingest/pipeline/_simulate",
            "{\"pipeline\":" + PIPELINE + ",\"docs\":[{\"_source\":{\"a\":" + MAPS + "}}]}");
    assertEquals(200, simulated.status());
  }

  public void testDocumentsStayBytesUntilAPipelineMakesMapsOfThem() throws Exception {
    assertEquals(200, ask("PUT", "/_ingest/pipeline/p", PIPELINE).status());
    assertEquals(200, ask("PUT", "/piped", "{\"settings\":{\"default_pipeline\":\"p\"}}").status());
    assertEquals(200, ask("PUT", "/plain", "{}").status());
    limit("2mb");
    String item = "{\"index\":{}}\n{\"a\":[" + "{},".repeat(10_000) + "{}]}\n";
    String bulk = item.repeat(5);
    Response plain = ask("POST", "/plain/_bulk", bulk);
    assertEquals(plain.body(), 200, plain.status());
    for (String path : new String[] {"/piped/_bulk", "/plain/_bulk?pipeline=p"}) {
      Response refused = ask("POST", path, bulk);
      assertEquals(path + refused.body(), 413, refused.status());
      assertTrue(refused.body(), refused.body().contains("what pipelines and scripts get"));
      assertEquals(200, ask("POST", path, item).status());
    }
    // one document that no update could make a map of later
    Response alone = ask("POST", "/plain/_doc", "{\"a\":" + MAPS + "}");
    assertEquals(alone.body(), 413, alone.status());
    assertTrue(alone.body(), alone.body().contains("a document of"));
    String texts = "{\"t\":\"" + "x".repeat(500_000) + "\"}";
    assertEquals(201, ask("POST", "/plain/_doc", texts).status());
  }

  public void testWhatASimulationKeepsForEachProcessorCounts() throws Exception {
    limit("2mb");
    String processors =
        "[" + "{\"trim\":{\"field\":\"m\"}},".repeat(60) + "{\"trim\":{\"field\":\"m\"}}]";
    String body =
        "{\"pipeline\":{\"processors\":"
            + processors
            + "},\"docs\":[{\"_source\":{\"m\":\" x\",\"a\":["
            + "{},".repeat(2_000)
            + "{}]}}]}";
    Response refused = ask("POST", "/_ingest/pipeline/_simulate?verbose=true", body);
    assertEquals(refused.body(), 413, refused.status());
    assertTrue(refused.body(), refused.body().contains("[61] processors leave"));
    // the processors of this node are those of a bare one: stock words that [trim] is unknown
    assertEquals(400, ask("POST", "/_ingest/pipeline/_simulate", body).status());
  }

  public void testOffEverythingIsParsed() throws Exception {
    limit("2mb");
    set(Settings.builder().put("millrace.guard.request_breaker.enabled", false));
    try {
      Response update =
          ask("POST", "/o/_update/1", "{\"doc_as_upsert\":true,\"doc\":{\"a\":" + MAPS + "}}");
      assertEquals(update.body(), 201, update.status());
    } finally {
      set(Settings.builder().putNull("millrace.guard.request_breaker.enabled"));
    }
  }
}
