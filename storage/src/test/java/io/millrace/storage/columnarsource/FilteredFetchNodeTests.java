package io.millrace.storage.columnarsource;

import static org.opensearch.index.query.QueryBuilders.matchAllQuery;
import static org.opensearch.index.query.QueryBuilders.nestedQuery;
import static org.opensearch.index.query.QueryBuilders.rangeQuery;
import static org.opensearch.index.query.QueryBuilders.termQuery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.lucene.search.join.ScoreMode;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.query.InnerHitBuilder;
import org.opensearch.index.query.functionscore.ScriptScoreQueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.MockScriptPlugin;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.opensearch.search.rescore.QueryRescorerBuilder;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * The same documents in an index of stock's format and in columns: a filtered {@code _source}
 * decodes some columns and shows the same, and whatever else reads a hit's source has all of it.
 */
public class FilteredFetchNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String MAPPING =
      """
      {"properties":{"n":{"type":"long"},"message":{"type":"text"},
        "a":{"properties":{"b":{"type":"keyword"},"c":{"properties":{"d":{"type":"long"}}}}},
        "items":{"type":"nested","properties":{"name":{"type":"keyword"},"price":{"type":"long"}}},
        "raw":{"enabled":false}}}
      """;
  private static final Script OF_SOURCE =
      new Script(ScriptType.INLINE, MockScriptPlugin.NAME, "n of source", Map.of());

  /** A script that reads a field of the source that the filters below leave out. */
  public static final class Scripts extends MockScriptPlugin {
    @Override
    protected Map<String, Function<Map<String, Object>, Object>> pluginScripts() {
      return Map.of("n of source", Scripts::ofSource);
    }

    @Override
    protected Map<String, Function<Map<String, Object>, Object>> nonDeterministicPluginScripts() {
      return Map.of();
    }

    /** Scripts of fields have the source beside their parameters, those of scores among them. */
    private static Object ofSource(Map<String, Object> variables) {
      Object source = variables.get("_source");
      if (source == null && variables.get("params") instanceof Map<?, ?> params) {
        source = params.get("_source");
      }
      return source instanceof Map<?, ?> map && map.get("n") instanceof Number n
          ? n.doubleValue()
          : -1.0;
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(ColumnarSourceNodeTests.Host.class, Scripts.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    for (String index : List.of("stock", "columns")) {
      client()
          .admin()
          .indices()
          .prepareCreate(index)
          .setSettings(
              Settings.builder()
                  .put("index.number_of_shards", 1)
                  .put("index.number_of_replicas", 0)
                  .put("index.millrace.columnar_source.enabled", index.equals("columns")))
          .setMapping(MAPPING)
          .get();
      BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
      for (int i = 0; i < 120; i++) {
        bulk.add(
            client().prepareIndex(index).setId("id" + i).setSource(document(i), XContentType.JSON));
      }
      assertFalse(bulk.get().hasFailures());
    }
  }

  private static String document(int i) {
    return switch (i % 4) {
      case 0 ->
          String.format(
              Locale.ROOT,
              "{\"n\":%d,\"message\":\"user %d logged in\",\"a\":{\"b\":\"x%d\",\"c\":{\"d\":%d}},\"raw\":{\"a.b\":[1,{\"c\":2}]}}",
              i,
              i,
              i % 3,
              i);
      case 1 ->
          String.format(
              Locale.ROOT,
              "{\"message\":[\"one\",\"user two\"],\"a.b\":\"dotted\",\"a.c.d\":%d,\"n\":%d}",
              i,
              i);
      case 2 ->
          String.format(
              Locale.ROOT,
              "{\"items\":[{\"name\":\"tea\",\"price\":%d},{\"name\":\"milk\"}],\"a\":[{\"b\":\"p\"},{\"c\":{\"d\":7}}],\"n\":%d,\"message\":\"user\"}",
              i,
              i);
      default ->
          String.format(
              Locale.ROOT,
              "{ \"n\" : %d , \"a\":{}, \"raw\":null,\"message\":\"user ü \\\"%d\\\"\" }",
              i,
              i);
    };
  }

  private static long partial() {
    return ColumnarSourceCodec.registered().counters().partialDocuments.sum();
  }

  /** Asks both indices and returns how many documents were decoded in part. */
  private long compare(Consumer<SearchSourceBuilder> change) {
    List<List<Map<String, Object>>> answers = new ArrayList<>();
    long before = partial();
    for (String index : List.of("stock", "columns")) {
      SearchSourceBuilder source =
          new SearchSourceBuilder().size(200).sort("n", SortOrder.ASC).query(matchAllQuery());
      change.accept(source);
      List<Map<String, Object>> answer = new ArrayList<>();
      for (SearchHit hit : client().prepareSearch(index).setSource(source).get().getHits()) {
        answer.add(described(hit));
      }
      assertFalse(source.toString(), answer.isEmpty());
      answers.add(answer);
    }
    assertEquals(answers.get(0), answers.get(1));
    return partial() - before;
  }

  private static Map<String, Object> described(SearchHit hit) {
    List<Object> parts = new ArrayList<>();
    parts.add(hit.getSourceAsString() == null ? "none" : hit.getSourceAsMap());
    hit.getHighlightFields().forEach((name, field) -> parts.add(field.toString()));
    hit.getFields().forEach((name, field) -> parts.add(name + field.getValues()));
    parts.add(hit.getExplanation() == null ? "" : hit.getExplanation().getValue());
    parts.add(Arrays.asList(hit.getMatchedQueries()));
    parts.add(hit.getScore());
    if (hit.getInnerHits() != null) {
      hit.getInnerHits()
          .forEach((name, hits) -> hits.forEach(inner -> parts.add(inner.getSourceAsMap())));
    }
    return Map.of(hit.getId(), parts);
  }

  private static FetchSourceContext filter(String includes, String excludes) {
    return new FetchSourceContext(true, paths(includes), paths(excludes));
  }

  private static String[] paths(String list) {
    return list.isEmpty() ? new String[0] : list.split(",");
  }

  public void testAFilteredSourceIsStocks() {
    String[] some = {
      "a",
      "n",
      "a.b",
      "a.c.d",
      "a.*",
      "*.d",
      "mess*",
      "items",
      "items.name",
      "raw",
      "nowhere",
      "*",
      "n,a.c",
      "raw.a.b"
    };
    for (String includes : some) {
      assertTrue(includes, compare(search -> search.fetchSource(filter(includes, ""))) == 120);
      assertTrue(includes, compare(search -> search.fetchSource(filter("", includes))) == 120);
      for (String excludes : List.of("a.b", "n", "a.c,raw", "*e*")) {
        if (Collections.disjoint(List.of(paths(includes)), List.of(paths(excludes)))) {
          compare(search -> search.fetchSource(filter(includes, excludes)));
        }
      }
    }
    assertEquals("nothing to leave out", 0, compare(search -> search.fetchSource(true)));
    assertEquals(0, compare(search -> search.fetchSource(false)));
  }

  public void testWhoeverReadsTheSourceHasAllOfIt() {
    List<Consumer<SearchSourceBuilder>> readers =
        List.of(
            search ->
                search
                    .highlighter(new HighlightBuilder().field("message"))
                    .query(termQuery("message", "user")),
            search -> search.scriptField("script", OF_SOURCE),
            search -> search.fetchField("n").fetchField("message"),
            search -> search.docValueField("n"),
            search ->
                search.query(new ScriptScoreQueryBuilder(matchAllQuery(), OF_SOURCE)).explain(true),
            search ->
                search.query(
                    new ScriptScoreQueryBuilder(matchAllQuery(), OF_SOURCE).queryName("s")),
            search ->
                search
                    .query(new ScriptScoreQueryBuilder(matchAllQuery(), OF_SOURCE))
                    .trackScores(true),
            search -> search.postFilter(rangeQuery("n").gte(10).queryName("late")),
            search ->
                search.query(
                    nestedQuery("items", termQuery("items.name", "tea"), ScoreMode.None)
                        .innerHit(new InnerHitBuilder())));
    for (Consumer<SearchSourceBuilder> reader : readers) {
      assertEquals(
          0,
          compare(search -> {
            search.fetchSource(filter("a.b", "raw"));
            reader.accept(search);
          }));
    }
    for (SearchHit hit :
        client()
            .prepareSearch("columns")
            .setSize(200)
            .setFetchSource("a.b", null)
            .addScriptField("script", OF_SOURCE)
            .addDocValueField("n")
            .get()
            .getHits()) {
      Number n = hit.field("n").getValue();
      assertEquals(n.doubleValue(), hit.field("script").<Number>getValue().doubleValue(), 0);
    }
    SearchSourceBuilder rescored =
        new SearchSourceBuilder()
            .size(200)
            .query(matchAllQuery())
            .fetchSource(filter("a.b", ""))
            .addRescorer(new QueryRescorerBuilder(rangeQuery("n").gte(60).queryName("late")));
    long before = partial();
    client().prepareSearch("columns").setSource(rescored).get();
    assertEquals(before, partial());
    assertTrue(
        "a script score that was computed before the fetch",
        compare(search ->
            search
                .query(new ScriptScoreQueryBuilder(matchAllQuery(), OF_SOURCE))
                .fetchSource(filter("a.b", "")))
            > 0);
  }

  public void testHitsOfAggregationsReadWholeSources() {
    long before = partial();
    var hits =
        client()
            .prepareSearch("columns")
            .setSize(0)
            .addAggregation(
                AggregationBuilders.topHits("top")
                    .size(20)
                    .fetchSource(new String[] {"n"}, null)
                    .scriptField("script", OF_SOURCE))
            .get();
    assertNotNull(hits.getAggregations().get("top"));
    assertEquals(before, partial());
  }

  public void testScrollsAndTheSwitch() {
    var page =
        client()
            .prepareSearch("columns")
            .setSize(50)
            .setScroll(TimeValue.timeValueMinutes(1))
            .addSort("n", SortOrder.ASC)
            .setFetchSource(new String[] {"n"}, null)
            .get();
    int next = 0;
    long before = partial() - 50;
    while (page.getHits().getHits().length > 0) {
      for (SearchHit hit : page.getHits()) {
        assertEquals(Map.of("n", next++), hit.getSourceAsMap());
      }
      page =
          client()
              .prepareSearchScroll(page.getScrollId())
              .setScroll(TimeValue.timeValueMinutes(1))
              .get();
    }
    client().prepareClearScroll().addScrollId(page.getScrollId()).get();
    assertEquals(120, next);
    assertEquals(120, partial() - before);

    setSwitch(false);
    try {
      assertEquals(0, compare(search -> search.fetchSource(filter("n", ""))));
    } finally {
      setSwitch(null);
    }
    assertEquals(120, compare(search -> search.fetchSource(filter("n", ""))));
  }

  private void setSwitch(Boolean on) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            Settings.builder()
                .put("millrace.storage.columnar_source.enabled", on == null ? null : on.toString()))
        .get();
  }
}
