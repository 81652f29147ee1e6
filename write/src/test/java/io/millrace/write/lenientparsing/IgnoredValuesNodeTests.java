package io.millrace.write.lenientparsing;

import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node: the report says which field of which source loses values, and why. */
public class IgnoredValuesNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String MAPPING =
      """
      {"properties": {
        "status": {"type": "long"},
        "path": {"type": "keyword"},
        "unmapped": {"type": "flat_object"}}}
      """;

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(LenientParsingHost.class);
  }

  private void create(String index) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(
            Settings.builder()
                .put("index.number_of_shards", 1)
                .put("index.number_of_replicas", 0)
                .put("index.millrace.lenient_parsing.enabled", true))
        .setMapping(MAPPING)
        .get();
  }

  private void send(String index, String... documents) {
    BulkRequestBuilder bulk = client().prepareBulk();
    for (String document : documents) {
      bulk.add(new IndexRequest(index).source(document, XContentType.JSON));
    }
    BulkResponse response = bulk.get();
    assertFalse(
        response.hasFailures() ? response.buildFailureMessage() : "", response.hasFailures());
  }

  private List<?> fields(String index) {
    Map<String, Object> report =
        client()
            .execute(NodeReportAction.INSTANCE, new NodeReportRequest("ignored"))
            .actionGet()
            .getNodes()
            .get(0)
            .report();
    return ((List<?>) report.get("fields"))
        .stream().filter(row -> ((Map<?, ?>) row).get("index").equals(index)).toList();
  }

  private static Map<?, ?> row(List<?> rows, String field) {
    return (Map<?, ?>)
        rows.stream()
            .filter(row -> ((Map<?, ?>) row).get("field").equals(field))
            .findFirst()
            .orElseThrow(() -> new AssertionError(field + " is not in " + rows));
  }

  public void testFieldSourceAndReason() {
    create("logs");
    send(
        "logs",
        "{\"status\":\"fine\",\"service\":{\"name\":\"checkout\"}}",
        "{\"status\":\"bad\",\"service.name\":\"checkout\"}",
        "{\"status\":200,\"service.name\":\"checkout\"}");
    List<?> rows = fields("logs");
    assertEquals(rows.toString(), 1, rows.size());
    Map<?, ?> row = row(rows, "status");
    assertEquals("checkout", row.get("source"));
    assertEquals(2L, row.get("documents"));
    assertEquals("no value for [long]", row.get("reason"));
  }

  public void testCutValuesAreCounted() {
    create("long");
    String word = "w".repeat(40_000);
    send(
        "long",
        "{\"path\":\"" + word + "\",\"host\":\"web-1\"}",
        "{\"path\":\"" + word + "\",\"host\":\"web-1\"}");
    Map<?, ?> cut = row(fields("long"), "path");
    assertEquals(2L, cut.get("documents"));
    assertEquals("web-1", cut.get("source"));
    assertEquals("cut at 32766 bytes", cut.get("reason"));
  }

  public void testTheRowsOfADeletedIndexGo() {
    create("gone");
    send("gone", "{\"status\":\"fine\"}");
    assertEquals(1, fields("gone").size());
    client().admin().indices().prepareDelete("gone").get();
    assertEquals(List.of(), fields("gone"));
  }
}
