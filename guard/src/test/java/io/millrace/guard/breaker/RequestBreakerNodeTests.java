package io.millrace.guard.breaker;

import io.millrace.guard.FeatureNodeTestCase;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.MockScriptPlugin;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.aggregations.metrics.ScriptedMetric;
import org.opensearch.search.fetch.subphase.highlight.HighlightBuilder;

/**
 * The storms K2 and K4 (guard/docs/storms.md) on one node, with tiny limits in place of a tiny
 * heap.
 */
public class RequestBreakerNodeTests extends FeatureNodeTestCase {
  private static final int DOCUMENTS = 5_000;

  /** Hosts the feature; the node constructs it, the test finds it again. */
  public static final class Host extends FeaturePlugin {
    static volatile RequestBreakerFeature feature;

    public Host() {
      super(List.of(feature = new RequestBreakerFeature()));
    }
  }

  /** Scripts of a metric that collects everything. */
  public static final class Collecting extends MockScriptPlugin {
    @Override
    @SuppressWarnings("unchecked")
    protected Map<String, Function<Map<String, Object>, Object>> pluginScripts() {
      return Map.of(
          "init",
          vars -> ((Map<String, Object>) vars.get("state")).put("l", new ArrayList<byte[]>()),
          "map",
          vars -> collect((List<byte[]>) ((Map<String, Object>) vars.get("state")).get("l")),
          "combine",
          vars -> ((List<?>) ((Map<String, Object>) vars.get("state")).get("l")).size(),
          "reduce",
          vars -> ((List<?>) vars.get("states")).get(0));
    }
  }

  private static boolean collect(List<byte[]> list) {
    if (list.size() % 1000 == 999) {
      System.gc(); // what was collected is known to live only after a collection
    }
    return list.add(new byte[40_000]);
  }

  @Override
  protected Feature feature() {
    return Host.feature;
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, Collecting.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    createIndex(
        "k",
        Settings.builder().put("index.number_of_shards", 1).build(),
        "_doc",
        "id",
        "type=keyword",
        "t",
        "type=text");
    BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = 0; i < DOCUMENTS; i++) {
      bulk.add(new IndexRequest("k").source("id", "id-" + i, "t", "some words " + i % 7));
    }
    assertFalse(client().bulk(bulk).actionGet().hasFailures());
  }

  private SearchRequestBuilder termsWithTopHits() {
    return client()
        .prepareSearch("k")
        .setSize(0)
        .setRequestCache(false)
        .addAggregation(
            AggregationBuilders.terms("t")
                .field("id")
                .size(DOCUMENTS)
                .subAggregation(AggregationBuilders.topHits("h").size(100)));
  }

  private SearchRequestBuilder collectingScript() {
    Script script = new Script(ScriptType.INLINE, "mockscript", "init", Map.of());
    return client()
        .prepareSearch("k")
        .setSize(0)
        .setRequestCache(false)
        .addAggregation(
            AggregationBuilders.scriptedMetric("s")
                .initScript(script)
                .mapScript(new Script(ScriptType.INLINE, "mockscript", "map", Map.of()))
                .combineScript(new Script(ScriptType.INLINE, "mockscript", "combine", Map.of()))
                .reduceScript(new Script(ScriptType.INLINE, "mockscript", "reduce", Map.of())));
  }

  private static void assertRefused(Throwable failure, String... words) {
    CircuitBreakingException cause =
        (CircuitBreakingException) ExceptionsHelper.unwrap(failure, CircuitBreakingException.class);
    if (cause == null && failure instanceof SearchPhaseExecutionException all) {
      cause =
          (CircuitBreakingException)
              ExceptionsHelper.unwrap(
                  all.shardFailures()[0].getCause(), CircuitBreakingException.class);
    }
    assertNotNull(ExceptionsHelper.stackTrace(failure), cause);
    for (String word : words) {
      assertTrue(cause.getMessage(), cause.getMessage().contains(word));
    }
    assertEquals(
        ExceptionsHelper.stackTrace(failure),
        RestStatus.TOO_MANY_REQUESTS,
        ExceptionsHelper.status(failure));
  }

  private void assertNothingHeld() throws Exception {
    assertBusy(
        () -> {
          assertEquals(0, metric("searches"), 0);
          assertEquals(0, metric("held"), 0);
          assertEquals(0, metric("coordinating"), 0);
          assertEquals(0, metric("gathered"), 0);
        },
        120,
        TimeUnit.SECONDS);
  }

  public void testTermsWithTopHitsAreStoppedWhileTheyCollect() throws Exception {
    set("limit", "10mb");
    double before = metric("searches_over_limit");
    Exception e = expectThrows(Exception.class, () -> termsWithTopHits().get());
    assertRefused(e, "[millrace.guard.request_breaker.limit]", "10mb", "fewer buckets");
    assertEquals(before + 1, metric("searches_over_limit"), 0);
    assertNothingHeld();
  }

  public void testASmallTreeIsNotStopped() throws Exception {
    set("limit", "10mb");
    SearchResponse response =
        client()
            .prepareSearch("k")
            .setQuery(QueryBuilders.termQuery("id", "id-7"))
            .addAggregation(
                AggregationBuilders.terms("t")
                    .field("id")
                    .size(DOCUMENTS)
                    .subAggregation(AggregationBuilders.topHits("h").size(100)))
            .get();
    Terms terms = response.getAggregations().get("t");
    assertEquals(1, terms.getBuckets().size());
    assertNothingHeld();
  }

  public void testACollectingScriptIsStopped() throws Exception {
    // 200 MB outlive collections, if they are let
    set(Map.of("limit", "40mb", "spare_below", "1mb"));
    Exception e = expectThrows(Exception.class, () -> collectingScript().get());
    assertRefused(e, "[millrace.guard.request_breaker.limit]", "narrow the query");
    assertNothingHeld();
  }

  public void testTheLargestGoesWhenTheHeapIsFull() throws Exception {
    set(Map.of("limit", "20mb", "spare_below", "100%", "shed_above", "1mb"));
    Exception e = expectThrows(Exception.class, () -> collectingScript().get());
    assertRefused(e, "[millrace.guard.request_breaker.shed_above]", "holds most of all");
    assertNothingHeld();
  }

  public void testSameAnswersAsStock() throws Exception {
    set("limit", "90%");
    SearchResponse on = collectingScript().setQuery(words()).setSize(5).highlighter(marks()).get();
    set("enabled", false);
    SearchResponse off = collectingScript().setQuery(words()).setSize(5).highlighter(marks()).get();
    assertEquals(
        ((ScriptedMetric) off.getAggregations().get("s")).aggregation(),
        ((ScriptedMetric) on.getAggregations().get("s")).aggregation());
    assertEquals(off.getHits().getTotalHits(), on.getHits().getTotalHits());
    assertEquals(5, on.getHits().getHits().length);
    for (int i = 0; i < 5; i++) {
      assertEquals(off.getHits().getAt(i), on.getHits().getAt(i));
      assertFalse(on.getHits().getAt(i).getHighlightFields().isEmpty());
    }
    assertNothingHeld();
  }

  private static org.opensearch.index.query.QueryBuilder words() {
    return QueryBuilders.matchQuery("t", "words 3");
  }

  private static HighlightBuilder marks() {
    return new HighlightBuilder().field("t");
  }

  public void testAHugeQueueIsRefusedBeforeItIsMade() throws Exception {
    client()
        .admin()
        .indices()
        .prepareUpdateSettings("k")
        .setSettings(Settings.builder().put("index.max_result_window", 10_000_000))
        .get();
    set("limit", "100kb");
    Exception e =
        expectThrows(Exception.class, () -> client().prepareSearch("k").setFrom(9_000_000).get());
    assertRefused(e, "search_after", "[9000010] hits");
    client().prepareSearch("k").setSize(10).get();
    assertNothingHeld();
  }

  public void testALargeBulkIsRefused() throws Exception {
    double before = metric("bulks_over_limit");
    set("limit", "100kb");
    BulkRequest bulk = new BulkRequest();
    for (int i = 0; i < 1000; i++) {
      bulk.add(new IndexRequest("k").source("id", "more-" + i));
    }
    Exception e = expectThrows(Exception.class, () -> client().bulk(bulk).actionGet());
    assertRefused(e, "[1000] items", "send smaller bulks");
    assertEquals(before + 1, metric("bulks_over_limit"), 0);
    set("limit", "20%");
    assertFalse(client().bulk(bulk).actionGet().hasFailures());
  }

  public void testABulkOfErrorsIsRefused() throws Exception {
    set("limit", "100kb");
    BulkRequest known = new BulkRequest();
    BulkRequest unknown = new BulkRequest();
    for (int i = 0; i < 40; i++) {
      known.add(new DeleteRequest("k", "none-" + i));
      unknown.add(new DeleteRequest("no-such-index", "none-" + i));
    }
    assertFalse(client().bulk(known).actionGet().hasFailures());
    Exception e = expectThrows(Exception.class, () -> client().bulk(unknown).actionGet());
    assertRefused(e, "[40] cannot be written", "send smaller bulks");
    set("limit", "1mb");
    assertEquals(
        40,
        Arrays.stream(client().bulk(unknown).actionGet().getItems())
            .filter(BulkItemResponse::isFailed)
            .count());
  }

  public void testOffIsStock() throws Exception {
    set(Map.of("limit", "1kb", "enabled", "false"));
    termsWithTopHits().setQuery(QueryBuilders.prefixQuery("id", "id-1")).get();
    assertNothingHeld();
  }
}
