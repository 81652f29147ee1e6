package io.millrace.write.templates;

import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.termQuery;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.lenientparsing.LenientParsingFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import io.millrace.write.logtext.LogTextFeature;
import io.millrace.write.profiles.ProfilesFeature;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Before;
import org.opensearch.action.admin.indices.template.delete.DeleteComposableIndexTemplateAction;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.WriteRequest;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.Template;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Installed templates on one node: they are there, behind every template of a user's. */
public class TemplatesNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String SWITCH = "millrace.write.templates.enabled";

  /** Hosts the features. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(
          List.of(
              new LogAnalyzerFeature(),
              new LogTextFeature(),
              new ProfilesFeature(),
              new LenientParsingFeature(),
              new TemplatesFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  /** The test framework's own legacy templates match everything. */
  @Before
  public void withoutTheFrameworksTemplates() {
    client().admin().indices().prepareDeleteTemplate("*").get();
  }

  /** The framework checks that no settings stay before it closes the node. */
  @Override
  public void tearDown() throws Exception {
    switchTo(null);
    super.tearDown();
  }

  private Map<String, ComposableIndexTemplate> templates() {
    return getInstanceFromNode(ClusterService.class).state().metadata().templatesV2();
  }

  private void switchTo(String value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(SWITCH, value))
        .get();
  }

  private void installed() throws Exception {
    switchTo("true");
    awaitBoth(true);
  }

  private void awaitBoth(boolean there) throws Exception {
    assertBusy(() -> {
      assertEquals(there, templates().containsKey("millrace-logs"));
      assertEquals(there, templates().containsKey("millrace-traces"));
    });
  }

  private void put(String name, Long priority, String pattern) {
    put(
        name,
        new ComposableIndexTemplate(
            List.of(pattern),
            new Template(Settings.builder().put("index.priority", 7).build(), null, null),
            null,
            priority,
            null,
            null));
  }

  private void put(String name, ComposableIndexTemplate template) {
    client()
        .execute(
            PutComposableIndexTemplateAction.INSTANCE,
            new PutComposableIndexTemplateAction.Request(name).indexTemplate(template))
        .actionGet();
  }

  private void delete(String name) {
    client()
        .execute(
            DeleteComposableIndexTemplateAction.INSTANCE,
            new DeleteComposableIndexTemplateAction.Request(name))
        .actionGet();
  }

  private void index(String index, String json) {
    BulkResponse answer =
        client()
            .prepareBulk()
            .add(new IndexRequest(index).source(json, XContentType.JSON))
            .setRefreshPolicy(WriteRequest.RefreshPolicy.IMMEDIATE)
            .get();
    assertFalse(answer.buildFailureMessage(), answer.hasFailures());
  }

  private long count(String index, QueryBuilder query) {
    return client().prepareSearch(index).setQuery(query).get().getHits().getTotalHits().value();
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> fields(String index) {
    return (Map<String, Object>)
        client()
            .admin()
            .indices()
            .prepareGetMappings(index)
            .get()
            .mappings()
            .get(index)
            .sourceAsMap()
            .get("properties");
  }

  private static Object type(Map<String, Object> fields, String name) {
    return ((Map<?, ?>) fields.get(name)).get("type");
  }

  public void testUnaskedNothingIsInstalledAndNothingTaken() throws Exception {
    installed();
    switchTo(null);
    delete("millrace-logs");
    // a change that would bring it back where somebody had asked for it
    put("other", 3L, "other-*");
    index("logs-x", "{\"message\":\"m\"}");
    assertFalse(templates().containsKey("millrace-logs"));
    assertTrue("nobody said false", templates().containsKey("millrace-traces"));
  }

  public void testLinesLandOnTheMapping() throws Exception {
    installed();
    String trace =
        "java.lang.IllegalStateException: no room\n" + "\tat a.b.C.d(C.java:1)\n".repeat(900);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("@timestamp", "2026-11-22T07:00:00.000Z");
    document.put("message", "Accepted password for root from 10.0.0.1");
    document.put("log", Map.of("level", "warn", "original", "raw words"));
    document.put("error", Map.of("stack_trace", trace));
    document.put("service", Map.of("name", "shop"));
    document.put("source", Map.of("ip", "10.0.0.1"));
    document.put("status", 200);
    document.put("traceId", "0af7651916cd43dd8448eb211c80319c");
    document.put("cookie", "c".repeat(5_000));
    BulkResponse answer =
        client()
            .prepareBulk()
            .add(new IndexRequest("logs-x").id("1").source(document))
            .setRefreshPolicy(WriteRequest.RefreshPolicy.IMMEDIATE)
            .get();
    assertFalse(answer.buildFailureMessage(), answer.hasFailures());
    Map<String, Object> fields = fields("logs-x");
    assertEquals("date", type(fields, "@timestamp"));
    assertEquals("log_text", type(fields, "message"));
    assertEquals("flat_object", type(fields, "unmapped"));
    assertEquals("keyword", type(fields, "traceId"));
    assertEquals("keyword", type(fields, "cookie"));
    assertEquals("long", type(fields, "status"));
    assertEquals(1, count("logs-x", matchQuery("error.stack_trace", "IllegalStateException")));
    assertEquals(1, count("logs-x", matchQuery("log.original", "words")));
    assertEquals(1, count("logs-x", termQuery("log.level", "warn")));
    assertEquals(1, count("logs-x", termQuery("source.ip", "10.0.0.0/24")));
    assertEquals(1, count("logs-x", termQuery("cookie", "c".repeat(5_000))));
    // what a plain index takes: an id of one's own again, an update, a deletion, odd values
    index("logs-x", "{\"status\":\"fine\",\"source\":{\"ip\":\"unknown\"}}");
    assertEquals(1, count("logs-x", termQuery("unmapped.status", "fine")));
    assertEquals(1, count("logs-x", termQuery("unmapped.source.ip", "unknown")));
    client().prepareIndex("logs-x").setId("1").setSource("message", "again").get();
    client().prepareUpdate("logs-x", "1").setDoc("status", 201).get();
    client().prepareDelete("logs-x", "1").get();
    client().admin().indices().prepareCreate("logs-y").get();
  }

  public void testOffTakesThemAway() throws Exception {
    installed();
    switchTo("false");
    awaitBoth(false);
    index("logs-off", "{\"message\":\"m\"}");
    assertEquals("text", type(fields("logs-off"), "message"));
  }

  public void testADeletedOneComesBack() throws Exception {
    installed();
    delete("millrace-logs");
    awaitBoth(true);
  }

  public void testAUsersTemplateOfEveryPriorityWins() throws Exception {
    for (Long priority : new Long[] {null, 0L, 1L, 500L}) {
      installed();
      put("users", priority, "logs-shop-*");
      index("logs-shop-1", "{\"message\":\"m\"}");
      assertEquals("priority " + priority, "text", type(fields("logs-shop-1"), "message"));
      client().admin().indices().prepareDelete("logs-shop-1").get();
      assertTrue(templates().containsKey("millrace-traces"));
      delete("users");
      awaitBoth(true);
    }
    // one that matches everything
    put("users", null, "*");
    index("logs-shop-1", "{\"message\":\"m\"}");
    assertEquals("text", type(fields("logs-shop-1"), "message"));
  }

  public void testAUsersLegacyTemplateWins() throws Exception {
    installed();
    client()
        .admin()
        .indices()
        .preparePutTemplate("legacy")
        .setPatterns(List.of("logs-*"))
        .setSettings(Settings.builder().put("index.priority", 7))
        .get();
    index("logs-shop", "{\"message\":\"m\"}");
    assertEquals("text", type(fields("logs-shop"), "message"));
    assertEquals("7", setting("logs-shop", "index.priority"));
    client().admin().indices().prepareDeleteTemplate("legacy").get();
    awaitBoth(true);
  }

  private String setting(String index, String key) {
    return client().admin().indices().prepareGetSettings(index).get().getSetting(index, key);
  }

  public void testATemplateThatIsRefusedTakesNothingAway() throws Exception {
    installed();
    expectThrows(
        Exception.class,
        () ->
            put(
                "users",
                new ComposableIndexTemplate(
                    List.of("logs-*"),
                    new Template(Settings.builder().put("index.nonsense", 1).build(), null, null),
                    null,
                    null,
                    null,
                    null)));
    awaitBoth(true);
  }

  public void testAnEditedCopyIsTheUsers() throws Exception {
    installed();
    ComposableIndexTemplate ours = ShippedTemplate.all().getFirst().body();
    ComposableIndexTemplate edited =
        withVersion(ours, List.of("logs-*", "app-*"), 1L, ours.metadata());
    put("millrace-logs", edited);
    switchTo("false");
    assertBusy(() -> assertFalse(templates().containsKey("millrace-traces")));
    assertEquals(List.of("logs-*", "app-*"), templates().get("millrace-logs").indexPatterns());
    installed();
    assertEquals(List.of("logs-*", "app-*"), templates().get("millrace-logs").indexPatterns());
  }

  public void testAnOlderVersionIsReplacedAndANewerOneLeft() throws Exception {
    installed();
    ShippedTemplate ours = ShippedTemplate.all().getFirst();
    ComposableIndexTemplate installed = templates().get("millrace-logs");
    assertTrue(ShippedTemplate.untouched(installed));
    assertFalse(ours.replaces(installed));
    ComposableIndexTemplate present = ours.body();
    put(
        "millrace-logs",
        ShippedTemplate.signed(withVersion(present, List.of("logs-*"), 0L, present.metadata())));
    assertBusy(() -> assertEquals(Long.valueOf(1), templates().get("millrace-logs").version()));
    put(
        "millrace-logs",
        ShippedTemplate.signed(withVersion(present, List.of("logs-*"), 99L, present.metadata())));
    delete("millrace-traces");
    awaitBoth(true);
    assertEquals(Long.valueOf(99), templates().get("millrace-logs").version());
  }

  private static ComposableIndexTemplate withVersion(
      ComposableIndexTemplate from, List<String> patterns, Long version, Map<String, Object> meta) {
    return new ComposableIndexTemplate(
        patterns, from.template(), from.composedOf(), from.priority(), version, meta);
  }
}
