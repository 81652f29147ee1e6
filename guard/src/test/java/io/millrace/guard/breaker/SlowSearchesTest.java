package io.millrace.guard.breaker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.opensearch.search.rescore.QueryRescorerBuilder;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.search.sort.NestedSortBuilder;
import org.opensearch.search.sort.ScriptSortBuilder;
import org.opensearch.search.sort.SortBuilders;

class SlowSearchesTest {
  private final SlowSearches slow = new SlowSearches();

  private static Script script() {
    return new Script(ScriptType.INLINE, "painless", "1", java.util.Map.of());
  }

  private static QueryBuilder scripted() {
    return QueryBuilders.scriptQuery(script());
  }

  private static SearchSourceBuilder source(QueryBuilder query) {
    return new SearchSourceBuilder().query(query);
  }

  private void assertPlain(SearchSourceBuilder source) {
    assertTrue(SlowSearches.isPlain(source), source::toString);
    assertFalse(slow.has(source), source::toString);
  }

  private void assertSlow(SearchSourceBuilder source) {
    assertFalse(SlowSearches.isPlain(source), source::toString);
    assertTrue(slow.has(source), source::toString);
  }

  @Test
  void wordsValuesAndRangesAreNot() {
    assertPlain(new SearchSourceBuilder());
    QueryBuilder each =
        QueryBuilders.boolQuery()
            .must(QueryBuilders.matchPhraseQuery("message", "script of three"))
            .filter(QueryBuilders.rangeQuery("at").gte(1))
            .should(QueryBuilders.termsQuery("level", List.of("a", "b")))
            .mustNot(QueryBuilders.termQuery("script", "script"));
    assertPlain(source(each).sort("at").sort(SortBuilders.scoreSort()).size(0));
    assertFalse(slow.has(null));
  }

  @Test
  void aScriptIsFoundWhereverItStands() {
    assertSlow(source(scripted()));
    assertSlow(source(QueryBuilders.boolQuery().filter(scripted())));
    assertSlow(source(QueryBuilders.boolQuery().mustNot(scripted())));
    BoolQueryBuilder deep = QueryBuilders.boolQuery().should(scripted());
    for (int i = 0; i < 10; i++) {
      deep = QueryBuilders.boolQuery().must(deep);
    }
    assertSlow(source(deep));
    assertSlow(source(QueryBuilders.constantScoreQuery(scripted())));
    assertSlow(source(QueryBuilders.matchAllQuery()).postFilter(scripted()));
    assertSlow(source(QueryBuilders.matchAllQuery()).scriptField("s", script()));
    assertSlow(
        source(QueryBuilders.matchAllQuery())
            .sort(SortBuilders.scriptSort(script(), ScriptSortBuilder.ScriptSortType.NUMBER)));
    FieldSortBuilder nested =
        SortBuilders.fieldSort("at")
            .setNestedSort(new NestedSortBuilder("p").setFilter(scripted()));
    assertSlow(source(QueryBuilders.matchAllQuery()).sort(nested));
    assertSlow(
        source(QueryBuilders.matchAllQuery()).addRescorer(new QueryRescorerBuilder(scripted())));
    assertSlow(
        source(QueryBuilders.matchAllQuery())
            .highlighter(new HighlightBuilder().field("f").highlightQuery(scripted())));
    assertSlow(
        source(QueryBuilders.matchAllQuery())
            .aggregation(AggregationBuilders.filter("f", scripted())));
  }

  @Test
  void manyAggregationsAreSlowToo() {
    SearchSourceBuilder many = source(QueryBuilders.matchAllQuery());
    for (int i = 0; i < 19; i++) {
      many.aggregation(AggregationBuilders.sum("s" + i).field("n"));
    }
    assertSlow(many);
    assertFalse(
        slow.has(
            source(QueryBuilders.matchAllQuery())
                .aggregation(AggregationBuilders.sum("s").field("n"))));
  }
}
