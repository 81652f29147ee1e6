package io.millrace.storage.columnarsource;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Documents of several megabytes among small ones, through everything that reads a source. */
public class LargeDocumentsNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int LARGE = 3 << 20;

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(ColumnarSourceNodeTests.Host.class);
  }

  private final Map<String, String> documents = new LinkedHashMap<>();

  private static String large(int kind) {
    StringBuilder text = new StringBuilder(LARGE + 1_000);
    switch (kind) {
      case 0 -> { // one string
        text.append("{ \"kind\":\"text\",\"raw\":\"");
        while (text.length() < LARGE) {
          text.append("line ").append(text.length()).append(" of a dump \\u00e9\\n");
        }
        text.append("\"}");
      }
      case 1 -> { // more values than a shape may have
        text.append("{\"kind\":\"list\",\"raw\":[0");
        while (text.length() < LARGE) {
          text.append(", ").append(text.length()).append(".50");
        }
        text.append("]}");
      }
      default -> { // more names than a shape may hold
        text.append("{\"kind\":\"names\",\"raw\":{\"first\":1");
        while (text.length() < LARGE) {
          text.append(",\"name").append(text.length()).append("\":\"v\"");
        }
        text.append("}}");
      }
    }
    return text.toString();
  }

  private void write(int from, int to) {
    BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = from; i < to; i++) {
      String source =
          i % 100 == 50
              ? large(i / 100 % 3)
              : String.format(
                  Locale.ROOT, "{\"kind\":\"small\", \"n\":%d,\"raw\":\"took %d ms\"}", i, i % 9);
      documents.put("id" + i, source);
      bulk.add(
          client()
              .prepareIndex("logs")
              .setId("id" + i)
              .setSource(source.getBytes(StandardCharsets.UTF_8), XContentType.JSON));
    }
    assertFalse(bulk.get().hasFailures());
  }

  private void assertAll() {
    documents.forEach((id, source) -> {
      if (source.length() > 1_000 || id.endsWith("7")) {
        // not assertEquals: its message would hold both
        assertTrue(id, source.equals(client().prepareGet("logs", id).get().getSourceAsString()));
      }
    });
    int seen = 0;
    for (var hit :
        client().prepareSearch("logs").setSize(documents.size()).get().getHits().getHits()) {
      assertTrue(hit.getId(), documents.get(hit.getId()).equals(hit.getSourceAsString()));
      seen++;
    }
    assertEquals(documents.size(), seen);
    for (var hit :
        client()
            .prepareSearch("logs")
            .setSize(documents.size())
            .setFetchSource("kind", null)
            .get()
            .getHits()) {
      assertEquals(hit.getId(), java.util.Set.of("kind"), hit.getSourceAsMap().keySet());
    }
  }

  public void testLargeDocumentsComeBackThroughReadsMergesAndReplays() {
    client()
        .admin()
        .indices()
        .prepareCreate("logs")
        .setSettings(
            Settings.builder()
                .put("index.number_of_shards", 1)
                .put("index.number_of_replicas", 0)
                .put("index.refresh_interval", "-1")
                .put("index.millrace.columnar_source.enabled", true))
        .setMapping("{\"dynamic\":\"false\",\"properties\":{\"kind\":{\"type\":\"keyword\"}}}")
        .get();
    write(0, 300);
    assertAll();
    client().admin().indices().prepareFlush("logs").get();
    write(300, 400);
    for (String id : List.of("id3", "id150")) { // a small and a large one
      client().prepareDelete("logs", id).get();
      documents.remove(id);
    }
    // not flushed: read from the translog when it is opened
    client().admin().indices().prepareClose("logs").get();
    client().admin().indices().prepareOpen("logs").get();
    ensureGreen("logs");
    assertAll();
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh("logs").get();
    assertAll();
    client()
        .prepareUpdate("logs", "id50")
        .setDoc(Map.of("kind", "changed"))
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    assertEquals("changed", client().prepareGet("logs", "id50").get().getSourceAsMap().get("kind"));
  }
}
