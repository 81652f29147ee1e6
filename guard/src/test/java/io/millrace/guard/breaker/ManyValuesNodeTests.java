package io.millrace.guard.breaker;

import io.millrace.guard.FeatureNodeTestCase;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.fetch.subphase.FetchSourceContext;

/** Requests with long lists and with many changes, on one node with small limits. */
public class ManyValuesNodeTests extends FeatureNodeTestCase {
  private static final String[] IDS =
      IntStream.range(0, 101).mapToObj(Integer::toString).toArray(String[]::new);

  /** Hosts the feature; the node constructs it, the test finds it again. */
  public static final class Host extends FeaturePlugin {
    static volatile RequestBreakerFeature feature;

    public Host() {
      super(List.of(feature = new RequestBreakerFeature()));
    }
  }

  @Override
  protected Feature feature() {
    return Host.feature;
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    createIndex("v");
    client()
        .prepareIndex("v")
        .setId("7")
        .setSource("n", 7)
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
  }

  private SearchRequestBuilder search(QueryBuilder query) {
    return client().prepareSearch("v").setQuery(query);
  }

  private static void assertRefused(Throwable failure, String... words) {
    assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(failure));
    for (String word : words) {
      assertTrue(failure.toString(), failure.getMessage().contains(word));
    }
  }

  private long hits(QueryBuilder query) {
    return search(query).get().getHits().getTotalHits().value();
  }

  public void testTheValuesOfAllListsAreBounded() {
    QueryBuilder ids = QueryBuilders.idsQuery().addIds(IDS);
    assertEquals(1, hits(ids));
    set("list_values", 100);
    String[] words = {"[101] values", "more than [100]", "request_breaker.list_values", "in parts"};
    for (QueryBuilder query :
        List.of(
            ids,
            QueryBuilders.wrapperQuery(ids.toString()),
            QueryBuilders.boolQuery().filter(QueryBuilders.termsQuery("n", IDS)).must(ids))) {
      assertRefused(
          expectThrows(OpenSearchStatusException.class, () -> search(query).get()), words);
    }
    MultiSearchResponse several =
        client()
            .prepareMultiSearch()
            .add(search(ids))
            .add(search(QueryBuilders.matchAllQuery()))
            .get();
    assertRefused(several.getResponses()[0].getFailure(), words);
    assertFalse(several.getResponses()[1].isFailure());
    MultiGetRequest get = new MultiGetRequest();
    for (String id : IDS) {
      get.add("v", id);
    }
    assertRefused(
        expectThrows(OpenSearchStatusException.class, () -> client().multiGet(get).actionGet()),
        words);
    assertEquals(5, (long) metric("lists_over_limit"));
    assertEquals(1, hits(QueryBuilders.idsQuery().addIds("7", "8")));
    set("enabled", false);
    assertEquals(1, hits(ids));
  }

  public void testTermsKeepTheLimitOfTheirIndex() {
    set("list_values", 1);
    QueryBuilder terms = QueryBuilders.termsQuery("n", IDS);
    assertEquals(1, hits(terms));
    client()
        .admin()
        .indices()
        .prepareUpdateSettings("v")
        .setSettings(Settings.builder().put("index.max_terms_count", 100))
        .get();
    Throwable stocks = expectThrows(Exception.class, () -> search(terms).get());
    assertTrue(ExceptionsHelper.stackTrace(stocks).contains("index.max_terms_count"));
  }

  public void testTheChangesOfOneRequestAreBounded() {
    set("state_changes", 100);
    IndicesAliasesRequest aliases = new IndicesAliasesRequest();
    aliases.addAliasAction(AliasActions.add().index("v*").aliases(IDS));
    assertRefused(
        expectThrows(
            OpenSearchStatusException.class,
            () -> client().admin().indices().aliases(aliases).actionGet()),
        "[101] changes",
        "more than [100]",
        "request_breaker.state_changes",
        "in parts");
    Settings.Builder loggers = Settings.builder();
    for (String id : IDS) {
      loggers.put("logger.millrace.none.a" + id, "info");
    }
    assertRefused(
        expectThrows(
            OpenSearchStatusException.class,
            () ->
                client()
                    .admin()
                    .cluster()
                    .prepareUpdateSettings()
                    .setTransientSettings(loggers)
                    .get()),
        "[101] changes");
    assertEquals(2, (long) metric("changes_over_limit"));
    assertEquals(
        0, client().admin().indices().prepareGetAliases().get().getAliases().get("v").size());
    set("state_changes", 101);
    assertTrue(client().admin().indices().aliases(aliases).actionGet().isAcknowledged());
    assertEquals(
        101, client().admin().indices().prepareGetAliases().get().getAliases().get("v").size());
  }

  /** With the limits that a node has when nobody sets them. */
  public void testLargeRequestsThatPeopleSendPass() {
    double refused = metric("lists_over_limit") + metric("changes_over_limit");
    String[] ids = IntStream.range(0, 100_000).mapToObj(Integer::toString).toArray(String[]::new);
    assertEquals(
        1,
        search(QueryBuilders.idsQuery().addIds(ids))
            .setFetchSource(new String[] {"n"}, null)
            .get()
            .getHits()
            .getTotalHits()
            .value());
    MultiGetRequest get = new MultiGetRequest();
    FetchSourceContext fields =
        new FetchSourceContext(true, Arrays.copyOfRange(IDS, 0, 50), new String[0]);
    for (int i = 0; i < 10_000; i++) {
      get.add(new MultiGetRequest.Item("v", ids[i]).fetchSourceContext(fields));
    }
    assertTrue(client().multiGet(get).actionGet().getResponses()[7].getResponse().isExists());
    IndicesAliasesRequest aliases = new IndicesAliasesRequest();
    for (int i = 0; i < 1_000; i++) {
      aliases.addAliasAction(AliasActions.add().index("v").alias("a" + i));
    }
    assertTrue(client().admin().indices().aliases(aliases).actionGet().isAcknowledged());
    assertEquals(refused, metric("lists_over_limit") + metric("changes_over_limit"), 0);
  }

  public void testWhatIsNoNumberIsRefused() {
    for (String name : List.of("list_values", "state_changes", "pattern_comparisons")) {
      for (String value : List.of("0", "-1", "many", "99999999999")) {
        Exception refusal = expectThrows(IllegalArgumentException.class, () -> set(name, value));
        assertTrue(refusal.toString(), refusal.getMessage().contains("request_breaker." + name));
        assertTrue(refusal.toString(), refusal.getMessage().contains(value));
      }
    }
  }
}
