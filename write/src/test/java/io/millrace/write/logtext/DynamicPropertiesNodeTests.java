package io.millrace.write.logtext;

import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.prefixQuery;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.lateinversion.LateInversionFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * Fields that {@code dynamic_properties} type by their names, without an entry in the mapping: each
 * document may bring another one.
 */
public class DynamicPropertiesNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int NAMES = 2 * IndexSketches.MOST;

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

  private long sketches() {
    return getInstanceFromNode(CircuitBreakerService.class)
        .getBreaker(CircuitBreaker.FIELDDATA)
        .getUsed();
  }

  private void create(String index, String type) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setMapping(
            "{\"dynamic_properties\":{\"*_msg\":"
                + type
                + "},\"properties\":{\"n\":{\"type\":\"long\"}}}")
        .get();
    ensureGreen(index);
    for (int round = 0; round < 3; round++) {
      BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
      for (int i = 0; i < NAMES; i++) {
        String source =
            String.format(
                Locale.ROOT,
                "{\"n\":%d,\"a%d_msg\":\"order %d took %d ms on nova.host-%d\",\"o\":{\"b_msg\":\"job %d of nova done\"}}",
                i,
                i,
                i,
                round,
                i % 4,
                i);
        bulk.add(
            client()
                .prepareIndex(index)
                .setId(index + round + "-" + i)
                .setSource(source, XContentType.JSON));
      }
      var response = bulk.get();
      assertFalse(response.buildFailureMessage(), response.hasFailures());
    }
  }

  private long hits(String index, QueryBuilder query) {
    return client()
        .prepareSearch(index)
        .setQuery(query)
        .setTrackTotalHits(true)
        .get()
        .getHits()
        .getTotalHits()
        .value();
  }

  private void assertSameAnswers() {
    int found = 0;
    for (String field :
        List.of("a0_msg", "a7_msg", "a" + (NAMES - 1) + "_msg", "o.b_msg", "none_msg")) {
      List<QueryBuilder> queries =
          List.of(
              matchQuery(field, "nova"),
              matchQuery(field, "took 2 ms"),
              matchPhraseQuery(field, "took 1 ms"),
              matchPhraseQuery(field, "of nova done"),
              prefixQuery(field, "no"));
      for (QueryBuilder query : queries) {
        long expected = hits("twin", query);
        String about = String.format(Locale.ROOT, "%s: %s", field, query);
        assertEquals(about, expected, hits("text", query));
        found += expected > 0 ? 1 : 0;
      }
    }
    assertTrue("queries that found something: " + found, found > 12);
  }

  public void testFieldsWithoutAMappingAnswerAsTheTwinAndShareTheBound() throws Exception {
    long before = sketches();
    create(
        "twin",
        "{\"type\":\"match_only_text\",\"analyzer\":\"millrace_log_words\","
            + "\"search_analyzer\":\"millrace_log_search\","
            + "\"search_quote_analyzer\":\"millrace_log_parts\"}");
    assertEquals(before, sketches());
    create("text", "{\"type\":\"log_text\"}");
    long held = sketches() - before;
    assertTrue("of " + held, held > 0 && held < (IndexSketches.MOST + 4) * TemplateSketch.BYTES);
    assertSameAnswers();
    assertFalse(
        "no field was mapped",
        client()
            .admin()
            .indices()
            .prepareGetMappings("text")
            .get()
            .getMappings()
            .get("text")
            .source()
            .toString()
            .contains("a0_msg"));

    // the first thing that an index sees which was just opened is a search
    client().admin().indices().prepareClose("text", "twin").get();
    client().admin().indices().prepareOpen("text", "twin").get();
    ensureGreen("text", "twin");
    assertSameAnswers();

    client().admin().indices().prepareDelete("text").get();
    assertBusy(() -> assertTrue(sketches() <= before + TemplateSketch.BYTES));
  }
}
