package io.millrace.guard.breaker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opensearch.action.admin.indices.validate.query.ValidateQueryRequest;
import org.opensearch.action.explain.ExplainRequest;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.common.geo.GeoPoint;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.geometry.LinearRing;
import org.opensearch.geometry.Polygon;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.MoreLikeThisQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.TermsSetQueryBuilder;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;
import org.opensearch.search.SearchModule;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.terms.IncludeExclude;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;

class ListedValuesTest {
  private static final int MANY = 5_000;
  private static final String[] TEXTS =
      IntStream.range(0, MANY).mapToObj(i -> "t" + i).toArray(String[]::new);
  private static final NamedXContentRegistry QUERIES =
      new NamedXContentRegistry(new SearchModule(Settings.EMPTY, List.of()).getNamedXContents());

  private static long of(Writeable request) {
    return ListedValues.of(request, QUERIES);
  }

  private static SearchSourceBuilder search(QueryBuilder query) {
    return new SearchSourceBuilder().query(query);
  }

  private static QueryBuilder ids() {
    return QueryBuilders.idsQuery().addIds(TEXTS);
  }

  private static Script script(Object param) {
    return new Script(ScriptType.INLINE, "painless", "1", Map.of("p", param));
  }

  static Stream<SearchSourceBuilder> everyListIsSeen() throws Exception {
    double[] degrees = IntStream.range(0, MANY / 2).mapToDouble(i -> i * 0.01).toArray();
    degrees[degrees.length - 1] = degrees[0]; // closed
    List<GeoPoint> points = new ArrayList<>();
    for (double each : degrees) {
      points.add(new GeoPoint(each, each));
    }
    List<MoreLikeThisQueryBuilder.Item> items =
        Arrays.stream(TEXTS).map(t -> new MoreLikeThisQueryBuilder.Item("i", t)).toList();
    float[] vector = new float[MANY];
    return Stream.of(
        search(ids()),
        search(QueryBuilders.wrapperQuery(ids().toString())),
        search(QueryBuilders.wrapperQuery(QueryBuilders.wrapperQuery(ids().toString()).toString())),
        search(QueryBuilders.constantScoreQuery(QueryBuilders.boolQuery().mustNot(ids()))),
        new SearchSourceBuilder().postFilter(ids()),
        new SearchSourceBuilder().aggregation(AggregationBuilders.filter("f", ids())),
        new SearchSourceBuilder()
            .aggregation(
                AggregationBuilders.terms("t")
                    .field("f")
                    .includeExclude(new IncludeExclude(TEXTS, null))),
        search(new TermsSetQueryBuilder("f", List.of(TEXTS))),
        search(QueryBuilders.moreLikeThisQuery(new String[] {"f"}, TEXTS, null)),
        search(
            QueryBuilders.moreLikeThisQuery(
                new String[] {"f"}, null, items.toArray(new MoreLikeThisQueryBuilder.Item[0]))),
        search(QueryBuilders.geoPolygonQuery("f", points)),
        search(QueryBuilders.geoShapeQuery("f", new Polygon(new LinearRing(degrees, degrees)))),
        search(QueryBuilders.scriptQuery(script(List.of(TEXTS)))),
        search(QueryBuilders.scriptQuery(script(Map.of("deep", List.of(List.of(TEXTS)))))),
        search(QueryBuilders.scriptQuery(script(vector))),
        new SearchSourceBuilder().fetchSource(TEXTS, null));
  }

  @ParameterizedTest
  @MethodSource
  void everyListIsSeen(SearchSourceBuilder search) {
    long values = of(search);
    assertTrue(
        values >= MANY && values < MANY + 20,
        values + " in " + search.toString().substring(0, 200));
  }

  @Test
  void whatStockBoundsIsNotCounted() {
    assertEquals(0, of(search(QueryBuilders.termsQuery("f", TEXTS))));
    QueryBuilder terms = QueryBuilders.termsQuery("f", TEXTS);
    assertEquals(0, of(search(QueryBuilders.wrapperQuery(terms.toString()))));
    assertEquals(
        MANY, of(search(QueryBuilders.boolQuery().filter(terms).filter(ids())))); // the ids
    BoolQueryBuilder clauses = QueryBuilders.boolQuery();
    for (String text : TEXTS) {
      clauses.should(QueryBuilders.termQuery("f", text));
    }
    assertEquals(0, of(search(clauses)));
  }

  @Test
  void aUsualSearchHasNone() {
    SearchSourceBuilder usual =
        search(QueryBuilders.rangeQuery("at").gte("now-1d"))
            .aggregation(AggregationBuilders.terms("t").field("f"))
            .sort("at");
    assertTrue(of(usual) < 20, of(usual) + " in " + usual);
  }

  @Test
  void otherRequestsHaveLists() {
    MultiGetRequest several = new MultiGetRequest();
    for (String text : TEXTS) {
      several.add("i", text);
    }
    for (Writeable request :
        List.of(
            several,
            new ExplainRequest("i", "1").query(ids()),
            new ValidateQueryRequest("i").query(ids()))) {
      long values = of(request);
      assertTrue(values >= MANY && values < 2 * MANY + 20, values + " in " + request);
    }
  }

  /** 10,000 documents with 30 fields each are no long list. */
  @Test
  void whatDocumentsHaveInCommonCountsOnce() {
    MultiGetRequest several = new MultiGetRequest();
    FetchSourceContext source =
        new FetchSourceContext(true, Arrays.copyOf(TEXTS, 30), new String[] {"u*"});
    String[] stored = Arrays.copyOf(TEXTS, 40);
    for (int i = 0; i < 10_000; i++) {
      several.add(
          new MultiGetRequest.Item("i", "t" + i).fetchSourceContext(source).storedFields(stored));
    }
    assertEquals(10_000, of(several), 200);
    FetchSourceContext own = new FetchSourceContext(true, TEXTS, null);
    several.add(new MultiGetRequest.Item("i", "own").fetchSourceContext(own));
    assertEquals(10_000 + MANY, of(several), 200);
  }

  @Test
  void whatCannotBeReadIsLeftToStock() {
    assertEquals(0, of(search(QueryBuilders.wrapperQuery("no query"))));
    assertEquals(0, of(search(QueryBuilders.wrapperQuery("{\"unknown\":{\"values\":[1,2,3]}}"))));
    assertEquals(
        MANY,
        of(search(QueryBuilders.boolQuery().must(ids()).must(QueryBuilders.wrapperQuery("{")))));
    assertEquals(0, inParams(null));
    assertEquals(3, inParams(Arrays.asList(null, 1, "x")));
    assertEquals(2, inParams(new Object[] {1, Map.of("a", 2, "b", List.of(3))}));
    assertEquals(0, inParams(new byte[] {1, 2, 3}));
  }

  private static long inParams(Object value) {
    return ListedValues.of(
        out -> out.writeMap(Collections.singletonMap("p", value)), NamedXContentRegistry.EMPTY);
  }
}
