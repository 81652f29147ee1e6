package io.millrace.guard.phases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortOrder;

class DerivedTest {
  private final List<String> written = new ArrayList<>();
  private final Derived<String> texts =
      new Derived<>(json -> {
        written.add(json);
        return json;
      });

  private static SearchSourceBuilder asking(QueryBuilder query) {
    return new SearchSourceBuilder().query(query);
  }

  private static SearchSourceBuilder page(String host, long from, int values) {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < values; i++) {
      statuses.add(200 + i % 100);
    }
    return asking(
            QueryBuilders.boolQuery()
                .filter(QueryBuilders.termQuery("host", host))
                .filter(QueryBuilders.termsQuery("status", statuses))
                .filter(QueryBuilders.rangeQuery("at").gte(from).lt(from + 900_000)))
        .sort("at", SortOrder.DESC)
        .searchAfter(new Object[] {from})
        .aggregation(AggregationBuilders.terms("t").field("service"));
  }

  @Test
  void wordsAndTimesMakeNoDifference() {
    String first = texts.of(page("web-17", 1_700_000_000_000L, 10));
    int before = written.size();
    assertEquals(first, texts.of(page("web-18", 1_800_000_000_000L, 10)));
    assertEquals(first, texts.of(page("db-442", 1_800_000_000_000L, 12)));
    assertEquals(before, written.size());
  }

  private static SearchSourceBuilder scored(Script script) {
    return asking(QueryBuilders.scriptScoreQuery(QueryBuilders.matchAllQuery(), script));
  }

  private static Script script(String code, Map<String, Object> parameters) {
    return new Script(ScriptType.INLINE, "painless", code, parameters);
  }

  @Test
  void allElseDoes() {
    List<SearchSourceBuilder> different =
        List.of(
            new SearchSourceBuilder(),
            new SearchSourceBuilder().size(10),
            new SearchSourceBuilder().size(10_000),
            new SearchSourceBuilder().explain(true),
            page("web-17", 1_700_000_000_000L, 10),
            page("web-17", 1_700_000_000_000L, 1_000),
            page("a".repeat(900), 1_700_000_000_000L, 10),
            page("web-17", 1_700_000_000_000L, 10).timeout(TimeValue.timeValueSeconds(1)),
            asking(QueryBuilders.termQuery("host", "a")),
            asking(QueryBuilders.termQuery("service", "a")),
            asking(QueryBuilders.termQuery("status", 200)),
            asking(QueryBuilders.termQuery("status", 20_000)),
            asking(QueryBuilders.termQuery("status", 0.25)),
            asking(QueryBuilders.wildcardQuery("host", "a*b")),
            asking(QueryBuilders.wildcardQuery("host", "a*c")),
            scored(script("return 1", Map.of())),
            scored(script("return f()", Map.of())),
            scored(script("return 1", Map.of("n", 1))),
            scored(script("return 1", Map.of("n", List.of(1, "a", Map.of("b", true))))),
            new SearchSourceBuilder()
                .aggregation(AggregationBuilders.percentiles("p").field("n").compression(100)),
            new SearchSourceBuilder()
                .aggregation(AggregationBuilders.percentiles("p").field("n").compression(1e8)));
    for (SearchSourceBuilder source : different) {
      assertEquals(source.toString(), texts.of(source));
      assertEquals(source.toString(), texts.of(source));
    }
    assertEquals(1 + different.size(), written.size());
    assertEquals("", texts.of(null));
  }

  /** For instance one with a list of terms that nobody has looked up yet. */
  @Test
  void whatCannotBeSentIsWrittenEachTime() {
    SearchSourceBuilder source =
        asking(
            new MatchAllQueryBuilder() {
              @Override
              protected void doWriteTo(StreamOutput out) {
                throw new IllegalStateException("missing a rewriteAndFetch?");
              }
            });
    assertEquals(source.toString(), texts.of(source));
    assertEquals(source.toString(), texts.of(source));
    assertEquals(3, written.size());
  }

  @Test
  void aFewAreKept() {
    for (int i = 0; i < 5_000; i++) {
      SearchSourceBuilder source = asking(QueryBuilders.existsQuery("f" + i));
      assertEquals(source.toString(), texts.of(source));
    }
    assertNotEquals(0, written.size());
  }
}
