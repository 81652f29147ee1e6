package io.millrace.search.timepruning;

import io.millrace.kernel.FeaturePlugin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.CreatePitAction;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.DeletePitAction;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.collapse.CollapseBuilder;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.search.sort.SortBuilders;
import org.opensearch.search.sort.SortMode;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The newest hits with the feature on and off, on documents in many orders. */
public class NewestFirstNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String SWITCH = "millrace.search.time_pruning.enabled";
  private static final String CONCURRENT = "search.concurrent_segment_search.mode";
  private static final long START = 1_795_000_000_000L;
  private static final int COUNT = 24_000;

  /**
   * Whether an index is one segment. Stock merges segments by size, so not in the order of time.
   */
  private boolean merges;

  private boolean deletes = true;

  /** Hosts the feature in a test node, for few documents too. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new TimePruningFeature(100)));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    merges = random().nextBoolean();
  }

  @Override
  public void tearDown() throws Exception {
    on(null);
    set(CONCURRENT, null);
    super.tearDown();
  }

  private void on(String value) {
    set(SWITCH, value);
  }

  private void set(String setting, String value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(setting, value))
        .get();
  }

  /** The time of a document in milliseconds, by its number. */
  private interface Time {
    String of(int number);
  }

  private void documents(String index, String type, Settings settings, Time time) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(Settings.builder().put("index.refresh_interval", -1).put(settings))
        .setMapping(
            "{\"properties\":{\"@timestamp\":{\"type\":\""
                + type
                + "\"},\"level\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"},"
                + "\"parts\":{\"type\":\""
                + (settings.isEmpty() ? "nested" : "object")
                + "\"}}}")
        .get();
    for (int from = 0; from < COUNT; from += 4_000) {
      BulkRequestBuilder bulk = client().prepareBulk();
      for (int i = from; i < from + 4_000; i++) {
        String at = time.of(i);
        bulk.add(
            client()
                .prepareIndex(index)
                .setId(Integer.toString(i))
                .setSource(
                    "{"
                        + (at == null ? "" : "\"@timestamp\":" + at + ",")
                        + (settings.isEmpty() && i < 900 ? "\"parts\":[{\"p\":1},{\"p\":2}]," : "")
                        + "\"n\":"
                        + i
                        + ",\"level\":\"L"
                        + (i % 11 == 0 ? 2 : i % 3 == 0 ? 1 : 0)
                        + "\"}",
                    XContentType.JSON));
      }
      assertFalse(bulk.get().hasFailures());
      client().admin().indices().prepareRefresh(index).get();
    }
    if (merges) {
      client().admin().indices().prepareForceMerge(index).setMaxNumSegments(1).get();
    }
    if (deletes) {
      delete(index);
    }
    client().admin().indices().prepareRefresh(index).get();
  }

  private void delete(String index) {
    BulkRequestBuilder bulk = client().prepareBulk();
    for (int i = 0; i < COUNT; i += 1 + random().nextInt(12)) {
      bulk.add(client().prepareDelete(index, Integer.toString(i)));
    }
    for (int i = COUNT - 150; i < COUNT; i++) { // the newest ones of most orders
      bulk.add(client().prepareDelete(index, Integer.toString(i)));
    }
    assertFalse(bulk.get().hasFailures());
  }

  private static String at(long seconds) {
    return Long.toString(START + seconds * 1000);
  }

  private QueryBuilder query() {
    QueryBuilder term = QueryBuilders.termQuery("level", "L" + random().nextInt(3));
    QueryBuilder range =
        QueryBuilders.rangeQuery("@timestamp")
            .gte(START + random().nextInt(COUNT) * 500L)
            .lt(START + random().nextInt(COUNT) * 2000L)
            .format("epoch_millis");
    BoolQueryBuilder all = QueryBuilders.boolQuery();
    return switch (random().nextInt(7)) {
      case 0 -> term;
      case 1 -> all.filter(term).filter(range);
      case 2 -> all.must(term).should(range);
      case 3 -> all.filter(range).mustNot(term);
      case 4 -> all.should(term).should(QueryBuilders.termQuery("level", "L0"));
      case 5 -> QueryBuilders.constantScoreQuery(term);
      default -> QueryBuilders.matchAllQuery();
    };
  }

  private SearchRequestBuilder search(String index) {
    FieldSortBuilder newest = SortBuilders.fieldSort("@timestamp").order(SortOrder.DESC);
    SearchRequestBuilder search =
        client()
            .prepareSearch(index.split(","))
            .setQuery(query())
            .setFrom(random().nextInt(3) == 0 ? random().nextInt(300) : 0)
            .setSize(1 + random().nextInt(120));
    switch (random().nextInt(4)) {
      case 0 -> search.setTrackTotalHits(false);
      case 1 -> search.setTrackTotalHits(true);
      case 2 ->
          search.setTrackTotalHitsUpTo(random().nextInt(random().nextBoolean() ? 300 : COUNT));
      default -> {} // up to 10,000
    }
    search.setRequestCache(random().nextInt(10) == 0);
    switch (random().nextInt(16)) {
      case 0 -> search.addAggregation(AggregationBuilders.terms("t").field("level"));
      case 1 -> search.setPostFilter(QueryBuilders.rangeQuery("n").lt(COUNT / 2));
      case 2 -> newest.missing("_first");
      case 3 -> newest.missing(START + COUNT * 500L);
      case 4 -> newest.sortMode(SortMode.MIN);
      case 5 -> newest.order(SortOrder.ASC);
      case 6 -> search.setTrackScores(true);
      case 7 -> search.setCollapse(new CollapseBuilder("level"));
      case 8 -> search.setMinScore(0.5f);
      case 9 -> search.setTerminateAfter(1 + random().nextInt(COUNT));
      default -> {}
    }
    search.addSort(newest);
    List<Object> behind = new ArrayList<>();
    if (random().nextBoolean()) {
      search.addSort("level", random().nextBoolean() ? SortOrder.ASC : SortOrder.DESC);
      behind.add("L" + random().nextInt(4));
    }
    if (random().nextBoolean()) {
      search.addSort("n", random().nextBoolean() ? SortOrder.ASC : SortOrder.DESC);
      behind.add(random().nextInt(COUNT));
    }
    SearchSourceBuilder source = search.request().source();
    if (source.collapse() == null && random().nextInt(3) == 0) {
      Object time = START + (random().nextInt(8) == 0 ? -1L : random().nextInt(COUNT + 99) * 1000L);
      behind.addFirst(time);
      search.setFrom(0).searchAfter(behind.toArray());
    }
    return search;
  }

  /** Hits that are equal in all sort values may come in any order: their values are compared. */
  private static List<Object> answer(SearchResponse response) {
    List<Object> answer = new ArrayList<>();
    answer.add(String.valueOf(response.getHits().getTotalHits()));
    for (SearchHit hit : response.getHits().getHits()) {
      Object[] values = hit.getSortValues();
      boolean alone = values.length > 1 && values[values.length - 1] instanceof Number;
      answer.add(Arrays.toString(values) + (alone ? hit.getId() : ""));
    }
    if (response.getAggregations() != null) {
      response.getAggregations().forEach(each -> answer.add(each.toString()));
    }
    return answer;
  }

  private void compare(String index) {
    set(CONCURRENT, "none");
    for (int i = 0; i < 60; i++) {
      compare(search(index));
    }
    set(CONCURRENT, "all");
    for (int i = 0; i < 30; i++) {
      SearchRequestBuilder search = search(index);
      if (search.request().source().terminateAfter() == 0) { // which documents is a race then
        compare(search);
      }
    }
  }

  private void compare(SearchRequestBuilder search) {
    on("true");
    List<Object> ours = answer(search.get());
    on("false");
    assertEquals(search.toString(), answer(search.get()), ours);
  }

  /** The pages of a point in time, which documents that come later do not change. */
  private void compareInPointInTime(String index) throws Exception {
    CreatePitRequest open = new CreatePitRequest(TimeValue.timeValueMinutes(2), true, index);
    String pit = client().execute(CreatePitAction.INSTANCE, open).get().getId();
    client()
        .prepareIndex(index)
        .setSource("@timestamp", START + COUNT * 9000L, "level", "L0", "n", 1)
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    for (int i = 0; i < 20; i++) {
      SearchRequestBuilder search = search(index);
      search.setIndices().setPointInTime(new PointInTimeBuilder(pit));
      compare(search);
    }
    client().execute(DeletePitAction.INSTANCE, new DeletePitRequest(pit)).get();
  }

  private boolean isBounded(String index, QueryBuilder query) {
    return isBounded(newest(index, query).setTrackTotalHits(false));
  }

  private SearchRequestBuilder newest(String index, QueryBuilder query) {
    return client()
        .prepareSearch(index.split(","))
        .setQuery(query)
        .addSort("@timestamp", SortOrder.DESC);
  }

  private boolean isBounded(SearchRequestBuilder search) {
    on("true");
    String profile = search.setProfile(true).get().toString();
    return profile.contains("+@timestamp:[") || profile.contains("#@timestamp:[");
  }

  public void testInTheOrderOfTime() throws Exception {
    documents("a", "date", Settings.EMPTY, i -> at(i + random().nextInt(5)));
    compare("a");
    compareInPointInTime("a");
  }

  public void testABoundIsFoundInTheOrderOfTime() {
    merges = false;
    documents("a", "date", Settings.EMPTY, i -> at(i));
    assertTrue(isBounded("a", QueryBuilders.termQuery("level", "L0")));
    assertTrue(
        isBounded(
            "a",
            QueryBuilders.boolQuery()
                .filter(QueryBuilders.termQuery("level", "L1"))
                .filter(QueryBuilders.rangeQuery("@timestamp").gte(START))));
    assertFalse(isBounded("a", QueryBuilders.wildcardQuery("level", "*0")));
    assertFalse(
        isBounded(
            "a",
            QueryBuilders.boolQuery()
                .filter(QueryBuilders.termQuery("level", "L0"))
                .mustNot(QueryBuilders.termQuery("level", "L1"))));
  }

  public void testABoundLeavesTheNumberOfMatches() {
    merges = false;
    documents("a", "date", Settings.EMPTY, i -> at(i));
    QueryBuilder term = QueryBuilders.termQuery("level", "L0");
    QueryBuilder terms =
        QueryBuilders.boolQuery().filter(term).filter(QueryBuilders.existsQuery("n"));
    // the number that is counted to stands near the end, or there are not so many
    assertTrue(isBounded(newest("a", terms).setTrackTotalHitsUpTo(500)));
    assertFalse(isBounded(newest("a", terms)));
    assertFalse(isBounded(newest("a", terms).setTrackTotalHits(true)));
    SearchRequestBuilder page = newest("a", terms).setTrackTotalHitsUpTo(500);
    assertTrue(isBounded(page.searchAfter(new Object[] {START + COUNT * 900L})));
    for (int upTo : new int[] {0, 1, 9, 10, 11, 499, 500, 2_000, 9_999, 10_000, 16_000, COUNT}) {
      compare(newest("a", term).setTrackTotalHitsUpTo(upTo));
      compare(newest("a", terms).setTrackTotalHitsUpTo(upTo));
      compare(newest("a,a", terms).setTrackTotalHitsUpTo(upTo));
    }
  }

  /** Without deleted documents a segment knows how many documents a term has. */
  public void testABoundLeavesTheNumberOfMatchesThatSegmentsKnow() {
    merges = false;
    deletes = false;
    documents("a", "date", Settings.EMPTY, i -> at(i));
    QueryBuilder term = QueryBuilders.termQuery("level", "L0");
    assertTrue(isBounded(newest("a", term)));
    assertTrue(isBounded(newest("a", term).setTrackTotalHits(true)));
    assertFalse(isBounded(newest("a", term).setRequestCache(true)));
    for (int upTo : new int[] {0, 1, 9, 10, 500, 10_000, 14_544, 14_545, 14_546, 16_000, COUNT}) {
      compare(newest("a", term).setTrackTotalHitsUpTo(upTo));
      compare(
          newest("a", term).setTrackTotalHitsUpTo(upTo).searchAfter(new Object[] {START + 9_000L}));
      compare(newest("a", term).setTrackTotalHitsUpTo(upTo).setRequestCache(true));
    }
    compare("a");
  }

  public void testInNoOrderWithMissingAndSeveralTimes() {
    documents(
        "b",
        "date",
        Settings.EMPTY,
        i ->
            i % 13 == 0
                ? null
                : i % 17 == 0
                    ? "[" + at(random().nextInt(COUNT)) + "," + at(random().nextInt(COUNT)) + "]"
                    : at(random().nextInt(COUNT)));
    compare("b");
    // a few missing ones at the end, and late ones at the front
    documents(
        "c",
        "date",
        Settings.EMPTY,
        i -> i > COUNT - 300 && i % 2 == 0 ? null : i < 50 ? at(COUNT + i) : at(i / 7));
    compare("c");
  }

  public void testSortedIndicesAndNanoseconds() {
    documents(
        "d",
        "date",
        Settings.builder()
            .put("index.sort.field", "@timestamp")
            .put("index.sort.order", random().nextBoolean() ? "asc" : "desc")
            .build(),
        i -> at(random().nextInt(COUNT)));
    compare("d");
    documents("e", "date_nanos", Settings.EMPTY, i -> at(i));
    compare("e");
    documents("f", "date", Settings.builder().put("index.number_of_shards", 2).build(), i -> at(i));
    compare("d,f");
  }
}
