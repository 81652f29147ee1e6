package io.millrace.guard.breaker;

import io.millrace.guard.FeatureNodeTestCase;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.MockScriptPlugin;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.Aggregator.SubAggCollectionMode;
import org.opensearch.search.aggregations.BucketOrder;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramInterval;
import org.opensearch.search.aggregations.bucket.histogram.Histogram;
import org.opensearch.search.aggregations.bucket.histogram.LongBounds;
import org.opensearch.search.aggregations.bucket.terms.IncludeExclude;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.aggregations.bucket.terms.TermsAggregationBuilder;
import org.opensearch.search.aggregations.metrics.PercentilesConfig;
import org.opensearch.search.builder.SearchSourceBuilder;

/** Work that stock neither counts nor cancels, each kind on one node. */
public class UncountedWorkNodeTests extends FeatureNodeTestCase {
  private static final int DOCUMENTS = 3_000;
  private static final AtomicInteger SCRIPT_RUNS = new AtomicInteger();

  /** Hosts the feature; the node constructs it, the test finds it again. */
  public static final class Host extends FeaturePlugin {
    static volatile RequestBreakerFeature feature;

    public Host() {
      super(List.of(feature = new RequestBreakerFeature()));
    }
  }

  /** A script that takes long for each document and accepts all. */
  public static final class Slow extends MockScriptPlugin {
    @Override
    protected Map<String, Function<Map<String, Object>, Object>> pluginScripts() {
      return Map.of(
          "slow",
          vars -> {
            SCRIPT_RUNS.incrementAndGet();
            LockSupport.parkNanos(2_000_000);
            return true;
          },
          "score",
          vars -> ((Number) vars.get("_score")).doubleValue());
    }
  }

  @Override
  protected Feature feature() {
    return Host.feature;
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, Slow.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    createIndex(
        "u",
        Settings.builder().put("index.number_of_shards", 2).build(),
        "_doc",
        "at",
        "type=date",
        "host",
        "type=keyword");
    BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = 0; i < DOCUMENTS; i++) {
      // a day and a half
      bulk.add(new IndexRequest("u").source("at", i * 43_200L, "host", "h" + i % 3, "n", i));
    }
    assertFalse(client().bulk(bulk).actionGet().hasFailures());
  }

  private SearchResponse aggregate(AggregationBuilder aggregation) {
    return client().prepareSearch("u").setSize(0).addAggregation(aggregation).get();
  }

  private static void assertRefused(Throwable failure, String... words) {
    assertEquals(
        ExceptionsHelper.stackTrace(failure),
        RestStatus.TOO_MANY_REQUESTS,
        ExceptionsHelper.status(failure));
    String all = ExceptionsHelper.stackTrace(failure);
    for (String word : words) {
      assertTrue(all, all.contains(word));
    }
  }

  private static org.opensearch.search.aggregations.bucket.histogram.DateHistogramAggregationBuilder
      every(String interval) {
    return AggregationBuilders.dateHistogram("gaps")
        .field("at")
        .fixedInterval(new DateHistogramInterval(interval));
  }

  public void testGapsAreCountedBeforeTheyAreFilled() {
    String[] words = {"search.max_buckets", "65535", "wider interval", "min_doc_count 1"};
    // 130 million buckets of two shards, of each host, beyond the documents, of numbers
    for (AggregationBuilder wide :
        List.of(
            every("1ms"),
            AggregationBuilders.terms("hosts").field("host").subAggregation(every("1ms")),
            every("1h").extendedBounds(new LongBounds("1700-01-01", "2100-01-01")),
            AggregationBuilders.histogram("numbers").field("n").interval(1e-12),
            AggregationBuilders.histogram("numbers").field("n").interval(1e-300))) {
      Exception e = expectThrows(Exception.class, () -> aggregate(wide));
      assertRefused(e, words);
    }
  }

  public void testWhatFitsIsFilledAsByStock() {
    Histogram hours = aggregate(every("1h")).getAggregations().get("gaps");
    assertEquals(36, hours.getBuckets().size());
    Histogram seconds = aggregate(every("4s").minDocCount(0)).getAggregations().get("gaps");
    assertEquals((DOCUMENTS - 1) * 43_200L / 4_000 + 1, seconds.getBuckets().size());
    Histogram alone = aggregate(every("1ms").minDocCount(1)).getAggregations().get("gaps");
    assertEquals(DOCUMENTS, alone.getBuckets().size());
    // nothing matches, nothing is filled
    Histogram none =
        client()
            .prepareSearch("u")
            .setQuery(QueryBuilders.termQuery("host", "nowhere"))
            .addAggregation(every("1ms"))
            .get()
            .getAggregations()
            .get("gaps");
    assertEquals(0, none.getBuckets().size());
  }

  public void testADigestIsRefusedBeforeItIsMade() {
    for (AggregationBuilder digest :
        List.of(
            AggregationBuilders.percentiles("d").field("n").compression(1e8),
            AggregationBuilders.percentileRanks("d", new double[] {7}).field("n").compression(1e8),
            AggregationBuilders.medianAbsoluteDeviation("d").field("n").compression(1e8),
            AggregationBuilders.global("g")
                .subAggregation(
                    AggregationBuilders.percentiles("d").field("n").compression(1e8)))) {
      Exception e = expectThrows(Exception.class, () -> aggregate(digest));
      assertRefused(e, "compression [1.0E8]", "[millrace.guard.request_breaker.limit]");
    }
    aggregate(AggregationBuilders.percentiles("d").field("n").compression(1_000));
  }

  public void testAPatternThatIsTooComplexIsTheRequestsFault() {
    AggregationBuilder include =
        AggregationBuilders.terms("t")
            .field("host")
            .includeExclude(new IncludeExclude(".*(a|b).{15}c.*", null));
    Exception e = expectThrows(Exception.class, () -> aggregate(include));
    assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(e));
    assertTrue(ExceptionsHelper.stackTrace(e).contains("[max_determinized_states]"));
    set("enabled", "false");
    Exception stock = expectThrows(Exception.class, () -> aggregate(include));
    assertEquals(RestStatus.INTERNAL_SERVER_ERROR, ExceptionsHelper.status(stock));
  }

  public void testAnswersThatWaitForTheirSiblingsAreCounted() throws Exception {
    set("limit", "4mb");
    MultiSearchRequest many = new MultiSearchRequest().maxConcurrentSearchRequests(1);
    for (int i = 0; i < 20; i++) {
      many.add(new SearchRequest("u").source(new SearchSourceBuilder().size(800)));
    }
    MultiSearchResponse answer = client().multiSearch(many).actionGet();
    assertFalse(answer.getResponses()[0].isFailure());
    MultiSearchResponse.Item[] refused =
        Arrays.stream(answer.getResponses())
            .filter(MultiSearchResponse.Item::isFailure)
            .toArray(MultiSearchResponse.Item[]::new);
    assertTrue(refused.length > 10);
    assertRefused(
        refused[0].getFailure(), "4mb", "[millrace.guard.request_breaker.limit]", "fewer hits");
    assertBusy(() -> assertEquals(0, metric("sibling_answers"), 0));
    set("enabled", "false");
    for (MultiSearchResponse.Item item : client().multiSearch(many).actionGet().getResponses()) {
      assertFalse(item.isFailure());
    }
  }

  public void testEveryHitIsCountedWhenItIsRead() {
    set("limit", "500kb");
    ShardSearchFailure[] failures;
    try {
      failures = client().prepareSearch("u").setSize(3_000).get().getShardFailures();
    } catch (SearchPhaseExecutionException e) { // no shard was left to answer
      failures = e.shardFailures();
    }
    assertTrue(failures.length > 0);
    assertRefused(failures[0].getCause(), "[request]", "500kb", "fewer");
    assertEquals(10, client().prepareSearch("u").get().getHits().getHits().length);
  }

  public void testASlowScriptStopsAtTheTimeout() {
    SCRIPT_RUNS.set(0);
    SearchResponse response =
        client()
            .prepareSearch("u")
            .setQuery(
                QueryBuilders.scriptQuery(
                    new Script(ScriptType.INLINE, "mockscript", "slow", Map.of())))
            .setTimeout(TimeValue.timeValueMillis(100))
            .get();
    assertTrue(response.isTimedOut());
    // stock's first look comes after all documents of a shard
    assertTrue(SCRIPT_RUNS.get() + " runs", SCRIPT_RUNS.get() < DOCUMENTS / 2);
  }

  private SearchRequestBuilder slowly() {
    return client()
        .prepareSearch("u")
        .setQuery(
            QueryBuilders.scriptQuery(
                new Script(ScriptType.INLINE, "mockscript", "slow", Map.of())))
        .setTimeout(TimeValue.timeValueMillis(100));
  }

  public void testATimeoutIsNoErrorWhereAnAggregationRunsTheQueryAgain() {
    // the best buckets are replayed with scores when the time is over: the query makes its weight
    // once more
    SearchResponse response =
        slowly()
            .addAggregation(
                AggregationBuilders.terms("hosts")
                    .field("host")
                    .size(1)
                    .collectMode(SubAggCollectionMode.BREADTH_FIRST)
                    .subAggregation(
                        AggregationBuilders.max("score")
                            .script(
                                new Script(ScriptType.INLINE, "mockscript", "score", Map.of()))))
            .get();
    assertTrue(response.isTimedOut());
    assertEquals(0, response.getFailedShards());
  }

  public void testAScrollHasNoTimeoutAsInStock() {
    SearchResponse response = slowly().setSize(1).setScroll(TimeValue.timeValueMinutes(1)).get();
    assertFalse(response.isTimedOut());
    assertEquals(0, response.getFailedShards());
    assertEquals(DOCUMENTS, response.getHits().getTotalHits().value());
    client().prepareClearScroll().addScrollId(response.getScrollId()).get();
  }

  /** A digest of five digits for each value of a field: 2 MB a bucket. */
  private static AggregationBuilder precise(String field, int values) {
    return AggregationBuilders.terms("all")
        .field(field)
        .size(values)
        .subAggregation(
            AggregationBuilders.percentiles("p")
                .field("n")
                .percentilesConfig(new PercentilesConfig.Hdr(5)));
  }

  public void testDigestsOfFixedPrecisionAreCountedByTheirDigits() {
    set("limit", "20mb");
    AggregationBuilder nested =
        AggregationBuilders.dateHistogram("days")
            .field("at")
            .fixedInterval(DateHistogramInterval.DAY)
            .subAggregation(precise("n", DOCUMENTS));
    // whose digests are made when the documents were seen, and with the documents
    for (AggregationBuilder many :
        List.of(
            precise("n", DOCUMENTS),
            nested,
            ((TermsAggregationBuilder) precise("n", DOCUMENTS))
                .collectMode(SubAggCollectionMode.DEPTH_FIRST))) {
      Exception e = expectThrows(Exception.class, () -> aggregate(many));
      assertRefused(e, "[request]", "20mb");
      Exception profiled =
          expectThrows(
              Exception.class,
              () -> client().prepareSearch("u").setProfile(true).addAggregation(many).get());
      assertRefused(profiled, "[request]", "20mb");
    }
  }

  public void testOnlyTheBestBucketsGetTheirDigests() {
    // 3,000 buckets are made, 3 of them are built on each shard
    set("limit", "20mb");
    Terms best =
        aggregate(((TermsAggregationBuilder) precise("n", 3)).order(BucketOrder.key(true)))
            .getAggregations()
            .get("all");
    assertEquals(
        List.of("0", "1", "2"),
        best.getBuckets().stream().map(Terms.Bucket::getKeyAsString).toList());
    // another request than the one before, whose answer is cached
    set("limit", "4mb");
    Exception e =
        expectThrows(
            Exception.class,
            () ->
                aggregate(
                    ((TermsAggregationBuilder) precise("n", 3)).order(BucketOrder.key(false))));
    assertRefused(e, "is about to hold", "6mb", "4mb");
  }
}
