package io.millrace.write.logtext;

import static org.opensearch.index.query.QueryBuilders.fuzzyQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.wildcardQuery;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.CommonTermsQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.test.OpenSearchIntegTestCase;

/** Two nodes: copies that chose other templates, recovered copies and a lone copy answer alike. */
@OpenSearchIntegTestCase.ClusterScope(
    scope = OpenSearchIntegTestCase.Scope.TEST,
    numDataNodes = 2,
    supportsDedicatedMasters = false,
    numClientNodes = 0)
public class LogTextReplicaNodeTests extends OpenSearchIntegTestCase {
  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(LogTextNodeTests.Host.class);
  }

  @Override
  protected boolean addMockInternalEngine() {
    return false; // an engine plugin of its own would refuse ours
  }

  private TreeSet<String> ids(QueryBuilder query, String preference) {
    TreeSet<String> out = new TreeSet<>();
    for (SearchHit hit :
        client()
            .prepareSearch("logs")
            .setQuery(query)
            .setPreference(preference)
            .setSize(5_000)
            .get()
            .getHits()) {
      out.add(hit.getId());
    }
    return out;
  }

  private void index(List<String> messages, int from, int to) {
    BulkRequestBuilder bulk = client().prepareBulk();
    for (int i = from; i < to; i++) {
      bulk.add(client().prepareIndex("logs").setId("" + i).setSource("message", messages.get(i)));
    }
    assertFalse(bulk.get().hasFailures());
  }

  public void testCopiesAnswerAlike() throws Exception {
    Random random = new Random(randomLong());
    List<String> messages = LogLines.generate(random, 1_200);
    client()
        .admin()
        .indices()
        .prepareCreate("logs")
        .setSettings(
            Settings.builder()
                .put("index.number_of_shards", 1)
                .put("index.number_of_replicas", 0)
                .put("index.refresh_interval", "-1"))
        .setMapping(LogTextEqualsMatchOnlyTextNodeTests.OURS)
        .get();
    ensureGreen("logs");
    index(messages, 0, 400);
    flushAndRefresh("logs");
    index(messages, 400, 800);
    // a replica that recovers files and operations, and starts with an empty sketch
    client()
        .admin()
        .indices()
        .prepareUpdateSettings("logs")
        .setSettings(Settings.builder().put("index.number_of_replicas", 1))
        .get();
    ensureGreen("logs");
    index(messages, 800, 1_200);
    refresh("logs");
    List<String> nodes =
        Arrays.stream(internalCluster().getNodeNames()).map(name -> "_only_nodes:" + name).toList();
    List<QueryBuilder> queries =
        List.of(
            matchQuery("message", "wsgi"),
            matchQuery("message", "10.1.0.2"),
            matchPhraseQuery("message", "for block blk"),
            matchPhraseQuery("message", "status: 7"),
            matchPhraseQuery("message", "invalid user root from 10"),
            wildcardQuery("message", "*erv*"),
            fuzzyQuery("message", "startd"),
            new CommonTermsQueryBuilder("message", "user root").cutoffFrequency(0.001f),
            matchQuery("message", "started"));
    int found = 0;
    for (QueryBuilder query : queries) {
      TreeSet<String> one = ids(query, nodes.get(0));
      assertEquals(query.toString(), one, ids(query, nodes.get(1)));
      found += one.size();
    }
    assertTrue("found " + found, found > 100);
    List<TreeSet<String>> before = queries.stream().map(q -> ids(q, null)).toList();
    internalCluster().stopRandomDataNode();
    ensureYellow("logs");
    for (int i = 0; i < queries.size(); i++) {
      assertEquals(before.get(i), ids(queries.get(i), null));
    }
  }
}
