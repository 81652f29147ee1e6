package io.millrace.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.aggregations.bucket.composite.CompositeAggregation;
import org.opensearch.search.aggregations.bucket.composite.CompositeAggregationBuilder;
import org.opensearch.search.aggregations.bucket.composite.TermsValuesSourceBuilder;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.profile.ProfileResult;
import org.opensearch.search.profile.ProfileShardResult;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** What a search of OpenSearch does by itself: a change of it would show. */
public class StockSearchNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int DOCUMENTS = 2_000;

  /** Notes the order in which documents are read. */
  public static final class Reads extends EveryHit {
    static final List<Integer> READ = Collections.synchronizedList(new ArrayList<>());

    @Override
    protected void read(FetchSubPhase.HitContext hit) {
      READ.add(hit.docId());
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Reads.class);
  }

  private void documents(Settings settings) {
    client()
        .admin()
        .indices()
        .prepareCreate("a")
        .setSettings(
            Settings.builder()
                .put("index.number_of_shards", 1)
                .put("index.number_of_replicas", 0)
                .put(settings))
        .setMapping("n", "type=long")
        .get();
    BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = 0; i < DOCUMENTS; i++) {
      // every number once, far from its neighbours
      bulk.add(client().prepareIndex("a").setSource("n", (i * 7919) % DOCUMENTS));
    }
    assertFalse(bulk.get().hasFailures());
    client().admin().indices().prepareForceMerge("a").setMaxNumSegments(1).setFlush(true).get();
    client().admin().indices().prepareRefresh("a").get();
  }

  public void testHitsAreReadInTheOrderInWhichTheyLieOnDisk() {
    documents(Settings.EMPTY);
    Reads.READ.clear();
    SearchResponse response =
        client().prepareSearch("a").addSort("n", SortOrder.ASC).setSize(100).get();
    int n = 0;
    for (SearchHit hit : response.getHits()) {
      assertEquals(n++, ((Number) hit.getSortValues()[0]).intValue());
    }
    List<Integer> inOrder = new ArrayList<>(Reads.READ);
    assertEquals(100, inOrder.size());
    Collections.sort(inOrder);
    assertEquals("read from the front to the back", inOrder, Reads.READ);
  }

  private long collectedBy(CompositeAggregationBuilder composite) {
    SearchResponse response =
        client().prepareSearch("a").setSize(0).setProfile(true).addAggregation(composite).get();
    CompositeAggregation answer = response.getAggregations().get("pages");
    assertEquals(10, answer.getBuckets().size());
    Object after = composite.toString().contains("after") ? 100L : -1L;
    assertEquals(
        ((Number) after).longValue() + 1,
        ((Number) answer.getBuckets().getFirst().getKey().get("n")).longValue());
    long collected = 0;
    for (ProfileShardResult shard : response.getProfileResults().values()) {
      for (ProfileResult result : shard.getAggregationProfileResults().getProfileResults()) {
        collected += result.getTimeBreakdown().getOrDefault("collect_count", 0L);
      }
    }
    return collected;
  }

  private static CompositeAggregationBuilder pages() {
    return new CompositeAggregationBuilder(
            "pages", List.of(new TermsValuesSourceBuilder("n").field("n")))
        .size(10);
  }

  public void testACompositeInTheOrderOfTheIndexSkipsWhatIsNotOnItsPage() {
    documents(Settings.builder().put("index.sort.field", "n").build());
    assertTrue(collectedBy(pages()) < DOCUMENTS / 10);
    assertTrue(collectedBy(pages().aggregateAfter(Map.of("n", 100L))) < DOCUMENTS / 10);
  }

  public void testTheSourceOfAHitPassesAsTheBytesThatWereSent() throws IOException {
    String source = "{\"n\" : 7 , \"x\":[ 7.50e0 ] }";
    client()
        .prepareIndex("b")
        .setSource(source, XContentType.JSON)
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    SearchHits hits = client().prepareSearch("b").get().getHits();
    assertEquals(source, hits.getAt(0).getSourceRef().utf8ToString());
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      hits.writeTo(out);
      SearchHits there = new SearchHits(out.bytes().streamInput());
      assertEquals(source, there.getAt(0).getSourceRef().utf8ToString());
      XContentBuilder answer = JsonXContent.contentBuilder().startObject();
      there.toXContent(answer, ToXContent.EMPTY_PARAMS).endObject();
      assertTrue(answer.toString(), answer.toString().contains("\"_source\":" + source));
    }
  }
}
