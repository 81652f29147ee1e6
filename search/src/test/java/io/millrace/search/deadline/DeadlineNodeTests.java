package io.millrace.search.deadline;

import io.millrace.kernel.FeaturePlugin;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.WildcardQuery;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.RangeQueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.metrics.ValueCount;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A search for terms that ends only when it is stopped: no test waits for a time of its own. */
public class DeadlineNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String SWITCH = "millrace.search.deadline.enabled";

  /** Hosts the feature in a test node. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new DeadlineFeature()));
    }
  }

  /** Brings the query that looks through the terms of a segment again and again. */
  public static final class Endless extends Plugin implements SearchPlugin {
    @Override
    public List<QuerySpec<?>> getQueries() {
      return List.of(
          new QuerySpec<>(EndlessBuilder.NAME, EndlessBuilder::new, EndlessBuilder::parse));
    }
  }

  /** What a query tells those who visit it of what it looks through. */
  private enum Looks {
    THROUGH_TERMS,
    FOR_A_TERM,
    THROUGH_POINTS,
    UNTOLD
  }

  /** {@code {"endless": {}}}. */
  public static final class EndlessBuilder extends AbstractQueryBuilder<EndlessBuilder> {
    static final String NAME = "endless";

    private final Looks looks;

    EndlessBuilder(Looks looks) {
      this.looks = looks;
    }

    EndlessBuilder(StreamInput in) throws IOException {
      super(in);
      looks = in.readEnum(Looks.class);
    }

    static EndlessBuilder parse(XContentParser parser) throws IOException {
      parser.skipChildren();
      return new EndlessBuilder(Looks.THROUGH_TERMS);
    }

    @Override
    protected void doWriteTo(StreamOutput out) throws IOException {
      out.writeEnum(looks);
    }

    @Override
    protected void doXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject(NAME).endObject();
    }

    @Override
    protected Query doToQuery(QueryShardContext context) {
      return looks == Looks.THROUGH_POINTS ? new EndlessPoints() : new EndlessQuery(looks);
    }

    @Override
    protected boolean doEquals(EndlessBuilder other) {
      return looks == other.looks;
    }

    @Override
    protected int doHashCode() {
      return looks.hashCode();
    }

    @Override
    public String getWriteableName() {
      return NAME;
    }
  }

  private static final class EndlessQuery extends Query {
    private final Looks looks;

    EndlessQuery(Looks looks) {
      this.looks = looks;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
      return new ConstantScoreWeight(this, boost) {
        @Override
        public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
          while (true) { // the reader throws when the search has to end
            TermsEnum terms = context.reader().terms("k.keyword").iterator();
            while (terms.next() != null) {
              Thread.onSpinWait();
            }
          }
        }

        @Override
        public boolean isCacheable(LeafReaderContext context) {
          return false;
        }
      };
    }

    @Override
    public void visit(QueryVisitor visitor) {
      if (looks == Looks.THROUGH_TERMS) {
        visitor.consumeTermsMatching(this, "k.keyword", () -> null);
      } else if (looks == Looks.FOR_A_TERM) {
        visitor.consumeTerms(this, new Term("k.keyword", "key1"));
      }
    }

    @Override
    public String toString(String field) {
      return "endless";
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof EndlessQuery endless && endless.looks == looks;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  /** A range of numbers whose points are looked through again and again. */
  private static final class EndlessPoints extends Query {
    private static final Query RANGE = LongPoint.newRangeQuery("n", 0, Long.MAX_VALUE);

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
      return new ConstantScoreWeight(this, boost) {
        @Override
        public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
          while (true) { // the reader throws when the search has to end
            PointValues points = context.reader().getPointValues("n");
            points.getMinPackedValue();
          }
        }

        @Override
        public boolean isCacheable(LeafReaderContext context) {
          return false;
        }
      };
    }

    @Override
    public void visit(QueryVisitor visitor) {
      RANGE.visit(visitor);
    }

    @Override
    public String toString(String field) {
      return "endless points";
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof EndlessPoints;
    }

    @Override
    public int hashCode() {
      return 2;
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, Endless.class);
  }

  private void documents() {
    createIndex("a", Settings.builder().put("index.number_of_shards", 2).build());
    for (int i = 0; i < 40; i++) {
      client()
          .prepareIndex("a")
          .setSource("k", "key" + i, "n", i)
          .setRefreshPolicy(i % 10 == 9 ? RefreshPolicy.IMMEDIATE : RefreshPolicy.NONE)
          .get();
    }
    client().admin().indices().prepareRefresh("a").get();
  }

  private SearchRequestBuilder endless() {
    return endless(Looks.THROUGH_TERMS);
  }

  private SearchRequestBuilder endless(Looks looks) {
    return client()
        .prepareSearch("a")
        .setQuery(
            QueryBuilders.boolQuery()
                .must(QueryBuilders.rangeQuery("n").gte(0))
                .filter(new EndlessBuilder(looks)))
        .addAggregation(AggregationBuilders.count("c").field("n"))
        .setAllowPartialSearchResults(true)
        .setTimeout(TimeValue.timeValueMillis(100));
  }

  private void on(Boolean on) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(SWITCH, on == null ? null : on.toString()))
        .get();
  }

  public void testASearchThatLooksForTermsAnswersWhatItFound() {
    documents();
    SearchResponse response = endless().get();
    assertTrue(response.isTimedOut());
    assertEquals(0, response.getFailedShards());
    assertEquals(0L, response.getHits().getTotalHits().value());
    assertEquals(0L, ((ValueCount) response.getAggregations().get("c")).getValue());
    // the time of one search is no part of the next
    SearchResponse next =
        client()
            .prepareSearch("a")
            .setQuery(QueryBuilders.wildcardQuery("k.keyword", "key*"))
            .setTimeout(TimeValue.timeValueMinutes(5))
            .get();
    assertFalse(next.isTimedOut());
    assertEquals(40L, next.getHits().getTotalHits().value());
  }

  public void testASearchThatLooksForPointsAnswersWhatItFound() {
    documents();
    SearchResponse response = endless(Looks.THROUGH_POINTS).get();
    assertTrue(response.isTimedOut());
    assertEquals(0, response.getFailedShards());
    assertEquals(0L, response.getHits().getTotalHits().value());
  }

  public void testATermThatIsLookedUpTooLateIsLeftOut() {
    documents();
    SearchResponse response = endless(Looks.FOR_A_TERM).get();
    assertTrue(response.isTimedOut());
    assertEquals(0, response.getFailedShards());
    assertEquals(0L, ((ValueCount) response.getAggregations().get("c")).getValue());
  }

  /** Where no query is there to catch the end of the time, the shard searches nothing. */
  public void testATimeThatEndsWhereNothingCatchesItIsAPartialAnswer() {
    documents();
    for (SearchRequestBuilder search :
        List.of(
            endless(Looks.UNTOLD),
            endless(Looks.UNTOLD).addSort("n", SortOrder.ASC).setSize(0),
            client()
                .prepareSearch("a")
                .setPostFilter(new EndlessBuilder(Looks.UNTOLD))
                .setTimeout(TimeValue.timeValueMillis(100)))) {
      SearchResponse response = search.get();
      assertTrue(response.toString(), response.isTimedOut());
      assertEquals(response.toString(), 0, response.getFailedShards());
    }
    Exception e =
        expectThrows(
            Exception.class, () -> endless(Looks.UNTOLD).setAllowPartialSearchResults(false).get());
    assertTrue(e.toString(), e.toString().contains("failed") || e.toString().contains("Time"));
    assertEquals(
        40L,
        client()
            .prepareSearch("a")
            .setTimeout(TimeValue.timeValueMinutes(5))
            .get()
            .getHits()
            .getTotalHits()
            .value());
  }

  public void testAShardThatHadToWaitForAllOfTheTimeSearchesNothing() {
    documents();
    SearchResponse response =
        endless().setMaxConcurrentShardRequests(1).setProfile(true).setTrackTotalHits(true).get();
    assertTrue(response.isTimedOut());
    assertEquals(0, response.getFailedShards());
    assertEquals(0L, response.getHits().getTotalHits().value());
    assertEquals(0L, ((ValueCount) response.getAggregations().get("c")).getValue());
    List<String> queries =
        response.getProfileResults().values().stream()
            .map(shard ->
                shard.getQueryProfileResults().get(0).getQueryResults().get(0).getQueryName())
            .toList();
    assertTrue(queries.toString(), queries.contains("MatchNoDocsQuery"));
    assertTrue(queries.toString(), queries.contains(DeadlineQuery.class.getSimpleName()));
  }

  public void testOffLeavesStocksFailure() {
    documents();
    on(false);
    try {
      for (Looks looks : Looks.values()) {
        Exception e = expectThrows(Exception.class, () -> endless(looks).get());
        assertTrue(e.toString(), e.toString().contains("all shards failed"));
      }
    } finally {
      on(null);
    }
  }

  public void testWithoutPartialResultsATimeoutIsAFailure() {
    documents();
    Exception e =
        expectThrows(Exception.class, () -> endless().setAllowPartialSearchResults(false).get());
    assertTrue(e.toString(), e.toString().contains("failed") || e.toString().contains("Time"));
  }

  public void testTheAnswersOfPatternsAreStocks() {
    documents();
    for (String pattern : List.of("key*", "*1*", "k?y3", "nothing*")) {
      SearchRequestBuilder search =
          client()
              .prepareSearch("a")
              .setQuery(QueryBuilders.wildcardQuery("k.keyword", pattern))
              .addSort("n", SortOrder.ASC)
              .setSize(100)
              .setTimeout(TimeValue.timeValueMinutes(5));
      SearchResponse ours = search.get();
      on(false);
      SearchResponse stock = search.get();
      on(null);
      assertEquals(stock.getHits().getTotalHits().value(), ours.getHits().getTotalHits().value());
      for (int i = 0; i < stock.getHits().getHits().length; i++) {
        assertEquals(stock.getHits().getAt(i).getId(), ours.getHits().getAt(i).getId());
      }
    }
  }

  public void testOnlyQueriesThatLookForTermsAreWrapped() {
    Supplier<Query> term = () -> new TermQuery(new Term("f", "v"));
    assertFalse(Patterns.in(term.get()));
    assertFalse(Patterns.in(new MatchAllDocsQuery()));
    assertFalse(NamedTerms.in(term.get()));
    assertFalse(NamedTerms.in(new ConstantScoreQuery(term.get())));
    assertFalse(NamedTerms.in(new MatchAllDocsQuery()));
    assertTrue(NamedTerms.in(new BooleanQuery.Builder().add(term.get(), Occur.MUST_NOT).build()));
    assertTrue(Patterns.in(new PrefixQuery(new Term("f", "v"))));
    assertTrue(
        Patterns.in(
            new BooleanQuery.Builder()
                .add(term.get(), Occur.MUST)
                .add(new WildcardQuery(new Term("f", "*v")), Occur.MUST_NOT)
                .build()));
  }

  private String outermost(SearchRequestBuilder search) {
    return search
        .setProfile(true)
        .setTimeout(TimeValue.timeValueMinutes(5))
        .get()
        .getProfileResults()
        .values()
        .iterator()
        .next()
        .getQueryProfileResults()
        .get(0)
        .getQueryResults()
        .get(0)
        .getQueryName();
  }

  public void testRangesForWhichStockHasAShortCutAreLeftToIt() {
    documents();
    RangeQueryBuilder range = QueryBuilders.rangeQuery("n").gte(5);
    Supplier<SearchRequestBuilder> alone = () -> client().prepareSearch("a").setQuery(range);
    String ours = DeadlineQuery.class.getSimpleName();
    assertNotEquals(ours, outermost(alone.get()));
    assertNotEquals(
        ours,
        outermost(
            alone
                .get()
                .addAggregation(
                    AggregationBuilders.terms("t")
                        .field("k.keyword")
                        .subAggregation(
                            AggregationBuilders.range("r").field("n").addRange(0, 10)))));
    assertEquals(ours, outermost(alone.get().setTrackTotalHits(true)));
    assertEquals(
        ours, outermost(alone.get().addAggregation(AggregationBuilders.count("c").field("n"))));
    assertEquals(
        ours,
        outermost(
            client()
                .prepareSearch("a")
                .setQuery(
                    QueryBuilders.boolQuery()
                        .must(QueryBuilders.matchQuery("k", "key1"))
                        .mustNot(range))));
  }
}
