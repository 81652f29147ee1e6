package io.millrace.search.deadline;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.search.EveryHit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.Strings;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHits;
import org.opensearch.search.SearchService;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.BucketOrder;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.aggregations.bucket.terms.TermsAggregationBuilder;
import org.opensearch.search.aggregations.metrics.TopHits;
import org.opensearch.search.aggregations.metrics.TopHitsAggregationBuilder;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * Hits of buckets one of which takes longer to read than the search has: until its time is over.
 */
public class TimedTopHitsNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String SWITCH = "millrace.search.deadline.enabled";
  private static final int DOCUMENTS = 60;
  private static final int BUCKETS = 6;

  /** Ample for all that is not slow. */
  private static final TimeValue TIMEOUT = TimeValue.timeValueSeconds(2);

  private static final AtomicBoolean SLOW = new AtomicBoolean();

  /** Hosts the feature in a test node. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new DeadlineFeature()));
    }
  }

  /** Reads the first hit for longer than the search may take. */
  public static final class Slow extends EveryHit {
    @Override
    protected void read(FetchSubPhase.HitContext hit) {
      if (SLOW.compareAndSet(true, false)) {
        long end = System.nanoTime() + TIMEOUT.nanos() + 100_000_000;
        while (System.nanoTime() - end < 0) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, Slow.class);
  }

  /** No search is stopped which only waits for a busy machine. */
  @Override
  protected Settings nodeSettings() {
    return Settings.builder()
        .put(super.nodeSettings())
        .put("millrace.search.deadline.grace", "5m")
        .put(SearchService.LOW_LEVEL_CANCELLATION_SETTING.getKey(), true)
        .build();
  }

  private void documents(String index, int shards) {
    SLOW.set(false);
    createIndex(index, Settings.builder().put("index.number_of_shards", shards).build());
    for (int i = 0; i < DOCUMENTS; i++) {
      client()
          .prepareIndex(index)
          .setId("d" + i)
          .setSource("k", "k" + i % BUCKETS, "n", i)
          .setRefreshPolicy(i % 20 == 19 ? RefreshPolicy.IMMEDIATE : RefreshPolicy.NONE)
          .get();
    }
    client().admin().indices().prepareRefresh(index).get();
  }

  private static TermsAggregationBuilder buckets(TopHitsAggregationBuilder hits) {
    return AggregationBuilders.terms("t")
        .field("k.keyword")
        .order(BucketOrder.key(true))
        .subAggregation(AggregationBuilders.sum("s").field("n"))
        .subAggregation(hits);
  }

  private static TopHitsAggregationBuilder sorted() {
    return AggregationBuilders.topHits("h").size(DOCUMENTS / BUCKETS).sort("n", SortOrder.ASC);
  }

  private SearchRequestBuilder search(String index) {
    return client()
        .prepareSearch(index)
        .setSize(0)
        .setTrackTotalHits(true)
        .addAggregation(buckets(sorted()))
        .setAllowPartialSearchResults(true)
        .setTimeout(TIMEOUT);
  }

  private void set(String key, String value) {
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(Settings.builder().put(key, value)));
  }

  private static List<String> ids(SearchHits hits) {
    return Arrays.stream(hits.getHits()).map(hit -> hit.getId()).toList();
  }

  public void testBucketsWithoutTimeForTheirHitsCountThem() throws Exception {
    for (int shards : new int[] {1, 3}) {
      documents("a" + shards, shards);
      SLOW.set(true);
      SearchResponse response = search("a" + shards).get();
      assertTrue(response.isTimedOut());
      assertEquals(0, response.getFailedShards());
      assertEquals(DOCUMENTS, response.getHits().getTotalHits().value());
      Terms terms = response.getAggregations().get("t");
      assertEquals(BUCKETS, terms.getBuckets().size());
      int read = 0;
      for (Terms.Bucket bucket : terms.getBuckets()) {
        assertEquals(DOCUMENTS / BUCKETS, bucket.getDocCount());
        SearchHits hits = ((TopHits) bucket.getAggregations().get("h")).getHits();
        assertEquals(DOCUMENTS / BUCKETS, hits.getTotalHits().value());
        assertFalse(ids(hits).toString(), ids(hits).contains(null));
        read += hits.getHits().length;
      }
      assertTrue(read + " hits", read < DOCUMENTS);
      assertBusy(
          () -> assertEquals(0, getInstanceFromNode(SearchService.class).getActiveContexts()));
    }
  }

  public void testWithoutPartialResultsUnreadHitsOfBucketsAreAnError() {
    documents("a", 2);
    SLOW.set(true);
    Exception e =
        expectThrows(Exception.class, () -> search("a").setAllowPartialSearchResults(false).get());
    String message = ExceptionsHelper.stackTrace(e);
    assertTrue(message, message.contains("] hits of a bucket of [top_hits] had not been read"));
    assertTrue(message, message.contains("[allow_partial_search_results] is false"));
  }

  public void testAnswersInTimeAreStocks() {
    documents("a", 3);
    List<SearchRequestBuilder> searches =
        List.of(
            search("a"),
            search("a").setProfile(true),
            client()
                .prepareSearch("a")
                .setQuery(QueryBuilders.matchQuery("k", "k1"))
                .addAggregation(AggregationBuilders.topHits("h").explain(true).size(7).from(2)));
    for (SearchRequestBuilder search : searches) {
      search.setTimeout(TimeValue.timeValueMinutes(5));
      SearchResponse ours = search.get();
      set(SWITCH, "false");
      SearchResponse stock = search.get();
      set(SWITCH, null);
      assertFalse(ours.isTimedOut());
      assertEquals(json(stock), json(ours));
    }
  }

  /** Without what differs from one search to the next. */
  private static String json(SearchResponse response) {
    return Strings.toString(XContentType.JSON, response.getAggregations());
  }
}
