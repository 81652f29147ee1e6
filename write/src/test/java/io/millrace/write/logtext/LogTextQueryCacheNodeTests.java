package io.millrace.write.logtext;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.lateinversion.LateInversionFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Queries of many terms enter OpenSearch's query cache as soon as those of {@code text} do. */
public class LogTextQueryCacheNodeTests extends OpenSearchSingleNodeTestCase {
  /** One segment of them is kept in the cache. */
  private static final int DOCUMENTS = 12_000;

  /** Hosts the features. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new LogAnalyzerFeature(), new LogTextFeature(), new LateInversionFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private void documents(String index, String type) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(
            Settings.builder().put("index.number_of_shards", 1).put("index.refresh_interval", -1))
        .setMapping("message", "type=" + type)
        .get();
    BulkRequestBuilder bulk = client().prepareBulk();
    for (int i = 0; i < DOCUMENTS; i++) {
      String message = (i % 2 == 0 ? "disk of node" : "link to host") + i % 97 + " is slow";
      bulk.add(client().prepareIndex(index).setSource(Map.of("message", message)));
    }
    assertFalse(bulk.get().hasFailures());
    client().admin().indices().prepareForceMerge(index).setMaxNumSegments(1).setFlush(true).get();
    client().admin().indices().prepareRefresh(index).get();
  }

  private long hits(String index, QueryBuilder filter) {
    return client()
        .prepareSearch(index)
        .setRequestCache(false)
        .setTrackTotalHits(true)
        .setQuery(QueryBuilders.boolQuery().filter(filter))
        .get()
        .getHits()
        .getTotalHits()
        .value();
  }

  private long cached(String index) {
    return client()
        .admin()
        .indices()
        .prepareStats(index)
        .setQueryCache(true)
        .get()
        .getTotal()
        .getQueryCache()
        .getCacheCount();
  }

  public void testQueriesOfManyTermsAreKeptAtTheirSecondUse() {
    documents("text", "text");
    documents("log", "log_text");
    List<QueryBuilder> queries =
        List.of(
            QueryBuilders.wildcardQuery("message", "*isk*"),
            QueryBuilders.prefixQuery("message", "lin"),
            QueryBuilders.regexpQuery("message", "n[a-p]de[0-9]*"));
    for (int i = 0; i < queries.size(); i++) {
      for (int use = 1; use <= 2; use++) {
        for (String index : List.of("text", "log")) {
          assertEquals(index + queries.get(i), DOCUMENTS / 2, hits(index, queries.get(i)));
          assertEquals(index + queries.get(i) + use, i + use - 1, cached(index));
        }
      }
    }
  }

  /** And what they are made of is not counted with them, so that it crowds nothing out. */
  public void testPhrasesAreKeptWhenThoseOfTextAre() {
    documents("text", "text");
    documents("log", "log_text");
    List<QueryBuilder> queries =
        List.of(
            QueryBuilders.matchPhraseQuery("message", "disk of"),
            QueryBuilders.matchPhraseQuery("message", "host7 is slow"),
            QueryBuilders.matchPhraseQuery("message", "link host7").slop(1),
            QueryBuilders.matchPhrasePrefixQuery("message", "of node5"));
    for (int i = 0; i < queries.size(); i++) {
      long hits = hits("text", queries.get(i));
      assertTrue(queries.get(i).toString(), hits > 0);
      assertEquals(hits, hits("log", queries.get(i)));
      for (int use = 2; use <= 6; use++) {
        for (String index : List.of("text", "log")) {
          assertEquals(index + queries.get(i), hits, hits(index, queries.get(i)));
          long kept = i + (use < 5 ? 0 : 1);
          assertEquals(index + queries.get(i) + use, kept, cached(index));
        }
      }
    }
  }

  public void testWhatIsKeptFollowsTheDocuments() {
    documents("log", "log_text");
    QueryBuilder query = QueryBuilders.matchPhraseQuery("message", "host7 is slow");
    long hits = hits("log", query);
    for (int use = 2; use <= 6; use++) {
      assertEquals(hits, hits("log", query));
    }
    assertEquals(1, cached("log"));
    client()
        .prepareIndex("log")
        .setSource(Map.of("message", "link to host7 is slow"))
        .setRefreshPolicy(WriteRequest.RefreshPolicy.IMMEDIATE)
        .get();
    assertEquals(hits + 1, hits("log", query));
    String id =
        client().prepareSearch("log").setQuery(query).setSize(1).get().getHits().getAt(0).getId();
    client().prepareDelete("log", id).setRefreshPolicy(WriteRequest.RefreshPolicy.IMMEDIATE).get();
    assertEquals(hits, hits("log", query));
  }
}
