package io.millrace.write.logtext;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.lateinversion.LateInversionFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.action.bulk.BulkRequestBuilder;
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
}
