package io.millrace.search;

import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.cache.query.QueryCacheStats;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * What OpenSearch's query cache leaves out by itself: filters that are rarely used, that cost much
 * more than the search they stand in, and small segments. A change of it would show.
 */
public class StockQueryCacheNodeTests extends OpenSearchSingleNodeTestCase {
  /** One segment of them is kept in the cache; of a third of them it is not. */
  private static final int DOCUMENTS = 24_000;

  private void documents(int count) {
    client()
        .admin()
        .indices()
        .prepareCreate("a")
        .setSettings(
            Settings.builder().put("index.number_of_shards", 1).put("index.refresh_interval", -1))
        .setMapping("group", "type=keyword", "message", "type=text")
        .get();
    for (int from = 0; from < count; from += 4_000) {
      BulkRequestBuilder bulk = client().prepareBulk();
      for (int i = from; i < from + 4_000; i++) {
        bulk.add(
            client()
                .prepareIndex("a")
                .setSource(
                    "group",
                    i % 100 == 7 ? "rare" : i % 2 == 0 ? "half" : "other",
                    "message",
                    i % 3 == 0 ? "disk is full" : "is disk full"));
      }
      assertFalse(bulk.get().hasFailures());
    }
    client().admin().indices().prepareForceMerge("a").setMaxNumSegments(1).setFlush(true).get();
    client()
        .prepareIndex("a")
        .setSource("group", "none")
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get(); // a small segment beside the large one
  }

  private long hits(String group, QueryBuilder filter) {
    return client()
        .prepareSearch("a")
        .setRequestCache(false)
        .setTrackTotalHits(true)
        .setQuery(
            QueryBuilders.boolQuery()
                .filter(QueryBuilders.termQuery("group", group))
                .filter(filter))
        .get()
        .getHits()
        .getTotalHits()
        .value();
  }

  private QueryCacheStats cache() {
    return client()
        .admin()
        .indices()
        .prepareStats("a")
        .setQueryCache(true)
        .get()
        .getTotal()
        .getQueryCache();
  }

  private static QueryBuilder phrase() {
    return QueryBuilders.matchPhraseQuery("message", "disk is");
  }

  public void testAFilterIsKeptOnlyWhenItIsUsedAgainAndAgain() {
    documents(DOCUMENTS);
    long found = hits("half", phrase());
    assertEquals(DOCUMENTS / 6, found, DOCUMENTS / 50);
    for (int use = 2; use <= 4; use++) {
      assertEquals(found, hits("half", phrase()));
      assertEquals("use " + use, 0, cache().getCacheCount());
    }
    assertEquals(found, hits("half", phrase()));
    assertEquals("of the large segment alone", 1, cache().getCacheCount());
    assertEquals(0, cache().getHitCount());
    assertEquals(found, hits("half", phrase()));
    assertEquals(1, cache().getHitCount());
  }

  /** The phrase may be in all documents, the term is in a hundredth. */
  public void testAFilterThatCostsTenTimesTheSearchIsNotKept() {
    documents(DOCUMENTS);
    long found = hits("rare", phrase());
    for (int use = 2; use <= 20; use++) {
      assertEquals(found, hits("rare", phrase()));
    }
    assertEquals(0, cache().getCacheCount());
    assertTrue(hits("half", phrase()) > 0);
    assertEquals("and is beside a term that is frequent", 1, cache().getCacheCount());
  }

  public void testNothingIsKeptForSmallSegments() {
    documents(DOCUMENTS / 3);
    for (int use = 1; use <= 20; use++) {
      assertTrue(hits("half", phrase()) > 0);
    }
    assertEquals(0, cache().getCacheCount());
  }
}
