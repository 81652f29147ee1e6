package io.millrace.write.fastengine;

import static org.opensearch.index.query.QueryBuilders.existsQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.termQuery;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.metric.Metric;
import io.millrace.write.lateinversion.LateInversionFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import io.millrace.write.logtext.LogTextFeature;
import io.millrace.write.profiles.ProfilesFeature;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.IndexService;
import org.opensearch.index.mapper.SourceToParse;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.test.rest.FakeRestChannel;
import org.opensearch.test.rest.FakeRestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** Documents with {@code log_text} fields are taken by the fast path and answered as stock's. */
public class LogTextOnTheFastPathNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int DOCUMENTS = 400;

  /** Hosts what an index of the logs profile needs. */
  public static final class Host extends FeaturePlugin {
    final FastEngineFeature fast;
    final LogTextFeature logText;
    final ProfilesFeature profiles;

    public Host() {
      this(new FastEngineFeature(), new LogTextFeature(), new ProfilesFeature());
    }

    private Host(FastEngineFeature fast, LogTextFeature logText, ProfilesFeature profiles) {
      super(List.of(fast, new LogAnalyzerFeature(), logText, new LateInversionFeature(), profiles));
      this.fast = fast;
      this.logText = logText;
      this.profiles = profiles;
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private Host host() {
    return getInstanceFromNode(PluginsService.class).filterPlugins(Host.class).get(0);
  }

  private double templatedValues() {
    return host().logText.metrics().stream()
        .filter(metric -> metric.name().equals("templated_values"))
        .flatMap(metric -> metric.samples().get().stream())
        .mapToDouble(Metric.Sample::value)
        .sum();
  }

  /** What {@code GET /_millrace/profiles/logs} answers. */
  private BytesReference templateOfLogs() throws Exception {
    RestHandler handler =
        host().getRestHandlers(Settings.EMPTY, null, null, null, null, null, null).stream()
            .filter(h -> h.routes().stream().anyMatch(r -> r.getPath().endsWith("{profile}")))
            .findFirst()
            .orElseThrow();
    RestRequest request =
        new FakeRestRequest.Builder(xContentRegistry())
            .withPath("/_millrace/profiles/logs")
            .withParams(new HashMap<>(Map.of("profile", "logs")))
            .build();
    FakeRestChannel channel = new FakeRestChannel(request, false, 1);
    handler.handleRequest(request, channel, getInstanceFromNode(NodeClient.class));
    assertEquals(RestStatus.OK, channel.capturedResponse().status());
    return channel.capturedResponse().content();
  }

  private static String message(int i) {
    return i % 3 == 0
        ? "nova.wsgi.server 10.0.0." + i % 250 + " GET /v2/servers status: 200 len: " + i
        : "session opened for user admin by (uid=" + i + ")";
  }

  private void bulk(String index, List<String> documents) {
    BulkRequestBuilder bulk = client().prepareBulk();
    for (int i = 0; i < documents.size(); i++) {
      bulk.add(
          client()
              .prepareIndex(index)
              .setId("id" + i)
              .setCreate(true)
              .setSource(documents.get(i), XContentType.JSON));
    }
    BulkResponse answer = bulk.setRefreshPolicy(RefreshPolicy.IMMEDIATE).get();
    assertFalse(answer.buildFailureMessage(), answer.hasFailures());
  }

  private List<String> ids(String index, QueryBuilder query) {
    SearchSourceBuilder source =
        new SearchSourceBuilder().query(query).size(2_000).sort("_seq_no", SortOrder.ASC);
    List<String> ids = new ArrayList<>();
    client()
        .prepareSearch(index)
        .setSource(source)
        .get()
        .getHits()
        .forEach(hit -> ids.add(hit.getId()));
    return ids;
  }

  public void testEveryDocumentOfTheLogsProfileIsTaken() throws Exception {
    try (XContentParser parser =
        createParser(JsonXContent.jsonXContent, templateOfLogs().utf8ToString())) {
      client()
          .execute(
              PutComposableIndexTemplateAction.INSTANCE,
              new PutComposableIndexTemplateAction.Request("logs")
                  .indexTemplate(ComposableIndexTemplate.parse(parser)))
          .actionGet();
    }
    List<String> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(
          String.format(
              Locale.ROOT,
              "{\"@timestamp\":\"2026-11-21T03:04:%02d.%03dZ\",\"host\":{\"name\":\"h%d\"},"
                  + "\"level\":\"info\",\"status\":%d,\"message\":\"%s\"}",
              i % 60,
              i,
              i % 7,
              i,
              message(i)));
    }
    // the first document maps the other fields, and is left to stock for that
    client().prepareIndex("logs-1").setSource(documents.get(0), XContentType.JSON).get();
    FastEngineCounters counters = host().fast.counters();
    long taken = counters.documents();
    long left = counters.fallbacks();
    bulk("logs-1", documents);
    assertEquals(DOCUMENTS, counters.documents() - taken);
    assertEquals(left, counters.fallbacks());
    assertTrue("values with a template: " + templatedValues(), templatedValues() > DOCUMENTS / 2);
    int servers = (DOCUMENTS + 2) / 3 + 1;
    assertEquals(servers, ids("logs-1", matchQuery("message", "wsgi")).size());
    assertEquals(servers, ids("logs-1", matchPhraseQuery("message", "status: 200 len")).size());
    assertEquals(DOCUMENTS + 1, ids("logs-1", existsQuery("message")).size());
  }

  /** One assembly stays with each thread that ever parsed a document. */
  public void testNothingOfADocumentStaysWithItsThread() {
    client().admin().indices().prepareCreate("held").setMapping("message", "type=log_text").get();
    IndexService held =
        getInstanceFromNode(IndicesService.class).indexServiceSafe(resolveIndex("held"));
    DocumentPlan plan =
        PlanCompiler.compile(held.mapperService().documentMapper(), held.getIndexSettings());
    DocumentAssembly assembly = new DocumentAssembly();
    String text = "opened session ".repeat(50_000);
    for (String source :
        List.of("{\"message\":\"" + text + "\"}", "{\"message\":\"" + text + "\",}")) {
      boolean valid = source.endsWith("\"}");
      Fallback fallback =
          assembly.assemble(
              plan, new SourceToParse("held", "1", new BytesArray(source), XContentType.JSON), 20);
      assertEquals(valid, fallback == null);
      if (valid) {
        assertEquals("1", assembly.document().id());
      }
      assertTrue(assembly.holdsNothing());
    }
  }

  public void testMultiFieldsAndListsAreAnsweredAsStocks() {
    String mapping =
        """
        {"properties":{
          "message":{"type":"log_text","store":true,
            "fields":{"keyword":{"type":"keyword"},"text":{"type":"text"}}},
          "line":{"type":"keyword","fields":{"words":{"type":"log_text"}}},
          "o":{"properties":{"m":{"type":"log_text"}}}}}
        """;
    List<String> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      String list = "[\"" + message(i) + "\",\"status tail " + i + "\",null," + i + ",true]";
      documents.add(
          switch (i % 4) {
            case 0 -> "{\"message\":\"" + message(i) + "\",\"line\":" + list + "}";
            case 1 -> "{\"message\":" + list + ",\"o.m\":\"" + message(i) + "\"}";
            case 2 -> "{\"o\":[{\"m\":\"" + message(i) + "\"},{\"m\":\"k\\u00f6ln " + i + "\"}]}";
            default -> "{\"message\":null,\"line\":\"" + message(i) + "\",\"o\":{}}";
          });
    }
    FastEngineCounters counters = host().fast.counters();
    long left = counters.fallbacks();
    for (boolean fast : new boolean[] {false, true}) {
      String index = fast ? "fast" : "stock";
      client()
          .admin()
          .indices()
          .prepareCreate(index)
          .setSettings(Settings.builder().put("index.millrace.fast_engine.enabled", fast))
          .setMapping(mapping)
          .get();
      long taken = counters.documents();
      bulk(index, documents);
      assertEquals(fast ? DOCUMENTS : 0, counters.documents() - taken);
    }
    assertEquals(left, counters.fallbacks());
    int found = 0;
    for (String field :
        List.of("message", "line.words", "o.m", "message.text", "message.keyword", "line")) {
      List<QueryBuilder> queries =
          List.of(
              existsQuery(field),
              termQuery(field, "wsgi"),
              termQuery(field, "true"),
              matchQuery(field, "nova.wsgi.server 17"),
              matchQuery(field, "k\u00f6ln"),
              matchQuery(field, message(7)));
      for (QueryBuilder query : queries) {
        found += compare(query);
      }
      if (!field.equals("message.keyword") && !field.equals("line")) {
        for (String phrase :
            List.of("status tail", "opened for user", "len: 12", "uid=7 status", "200 len: 12")) {
          found += compare(matchPhraseQuery(field, phrase));
        }
      }
    }
    assertTrue("hits " + found, found > 10 * DOCUMENTS / 4);
  }

  private int compare(QueryBuilder query) {
    List<String> stock = ids("stock", query);
    assertEquals(query.toString(), stock, ids("fast", query));
    return stock.size();
  }
}
