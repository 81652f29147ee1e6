package io.millrace.search.timepruning;

import io.millrace.kernel.FeaturePlugin;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.RangeQueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.composite.CompositeAggregationBuilder;
import org.opensearch.search.aggregations.bucket.composite.DateHistogramValuesSourceBuilder;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramAggregationBuilder;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramInterval;
import org.opensearch.search.profile.ProfileResult;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The same searches with the feature on and off. */
public class TimePruningNodeTests extends OpenSearchSingleNodeTestCase {
  private static final long START = 1_795_000_000_000L;
  private static final int COUNT = 20_000;

  /** Hosts the feature in a test node. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new TimePruningFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    set("millrace.search.time_pruning.ranges", "true");
  }

  @Override
  public void tearDown() throws Exception {
    set("millrace.search.time_pruning.enabled", null);
    set("millrace.search.time_pruning.ranges", null);
    super.tearDown();
  }

  private void documents(String index, Settings settings) {
    documents(index, settings, true);
  }

  /**
   * @param gaps whether there are deleted documents, some without a time and some with two
   */
  private void documents(String index, Settings settings, boolean gaps) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(Settings.builder().put("index.refresh_interval", -1).put(settings))
        .setMapping(
            "{\"properties\":{\"@timestamp\":{\"type\":\"date\"},"
                + "\"level\":{\"type\":\"keyword\"},\"parts\":{\"type\":\""
                // a sorted index takes no nested documents
                + (settings.isEmpty() ? "nested" : "object")
                + "\"}}}")
        .get();
    for (int from = 0; from < COUNT; from += 5000) {
      BulkRequestBuilder bulk = client().prepareBulk();
      for (int i = from; i < from + 5000; i++) {
        String time = Long.toString(START + i * 1000L + random().nextInt(3000));
        if (gaps && i % 100 == 7) {
          time = "[" + time + "," + (START + random().nextInt(COUNT) * 1000L) + "]";
        }
        bulk.add(
            client()
                .prepareIndex(index)
                .setId(Integer.toString(i))
                .setSource(
                    "{"
                        + (gaps && i % 50 == 3 ? "" : "\"@timestamp\":" + time + ",")
                        + (i % 40 == 9 ? "\"parts\":[{\"p\":\"x\"},{\"p\":\"y\"}]," : "")
                        + "\"level\":\"L"
                        + random().nextInt(3)
                        + "\"}",
                    XContentType.JSON));
      }
      assertFalse(bulk.get().hasFailures());
    }
    client().admin().indices().prepareForceMerge(index).setMaxNumSegments(1).get();
    BulkRequestBuilder bulk = client().prepareBulk();
    for (int i = 0; i < COUNT; i += 10) {
      if (gaps) {
        bulk.add(client().prepareDelete(index, Integer.toString(i)));
      } else {
        // a small segment beside the large one
        bulk.add(
            client().prepareIndex(index).setSource("@timestamp", START + i * 1000L, "level", "L1"));
      }
    }
    assertFalse(bulk.get().hasFailures());
    client().admin().indices().prepareRefresh(index).get();
  }

  private void set(String key, String value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(key, value))
        .get();
  }

  private BoolQueryBuilder random(long from, long to) {
    BoolQueryBuilder query =
        QueryBuilders.boolQuery()
            .filter(QueryBuilders.rangeQuery("@timestamp").gte(from).lt(to))
            .must(QueryBuilders.termQuery("level", "L" + random().nextInt(3)));
    if (random().nextInt(4) == 0) {
      query.filter(QueryBuilders.existsQuery("@timestamp"));
    }
    return query;
  }

  /** A range that is the whole query, in the forms that clients send. */
  private QueryBuilder alone(long from, long to) {
    RangeQueryBuilder range = QueryBuilders.rangeQuery("@timestamp").gte(from).lt(to);
    return switch (random().nextInt(4)) {
      case 0 -> range;
      case 1 -> QueryBuilders.boolQuery().filter(range);
      case 2 -> QueryBuilders.boolQuery().filter(range).filter(QueryBuilders.matchAllQuery());
      default -> QueryBuilders.constantScoreQuery(range);
    };
  }

  private DateHistogramAggregationBuilder histogram() {
    DateHistogramAggregationBuilder histogram =
        AggregationBuilders.dateHistogram("h")
            .field("@timestamp")
            .fixedInterval(DateHistogramInterval.minutes(1 + random().nextInt(30)));
    if (random().nextBoolean()) {
      // as dashboards ask; stock does not count it by points
      histogram.timeZone(ZoneId.of("Europe/Berlin"));
    }
    if (random().nextInt(3) == 0) {
      histogram.subAggregation(AggregationBuilders.terms("t").field("level"));
    }
    return histogram;
  }

  /** What a client sees of an answer, but for the time it took. */
  private static List<Object> answer(SearchResponse response) {
    List<Object> answer = new ArrayList<>();
    answer.add(response.getHits().getTotalHits());
    for (SearchHit hit : response.getHits().getHits()) {
      answer.add(hit.getId() + " " + hit.getScore() + " " + Arrays.toString(hit.getSortValues()));
    }
    if (response.getAggregations() != null) {
      response.getAggregations().forEach(each -> answer.add(each.toString()));
    }
    return answer;
  }

  private void compare(String index) {
    for (int i = 0; i < 30; i++) {
      long from = START + random().nextInt(COUNT) * 1000L;
      long to = from + random().nextInt(COUNT) * 1000L;
      if (i % 3 == 0) {
        // more documents than are found as quickly by points, and one end in a block
        from = START - 1;
        to = START + (COUNT - random().nextInt(COUNT / 20)) * 1000L;
      }
      SearchRequestBuilder search =
          client()
              .prepareSearch(index)
              .setQuery(random().nextBoolean() ? alone(from, to) : random(from, to))
              .setTrackTotalHits(true)
              .setRequestCache(false)
              .setSize(random().nextBoolean() ? 0 : random().nextInt(50));
      if (random().nextBoolean()) {
        search.addSort("@timestamp", random().nextBoolean() ? SortOrder.ASC : SortOrder.DESC);
      }
      if (random().nextBoolean()) {
        search.addAggregation(histogram());
      }
      if (random().nextInt(4) == 0) {
        search.addAggregation(AggregationBuilders.terms("l").field("level"));
      }
      List<Object> ours = answer(search.get());
      set("millrace.search.time_pruning.enabled", "false");
      List<Object> stock = answer(search.get());
      set("millrace.search.time_pruning.enabled", "true");
      assertEquals(search.toString(), stock, ours);
    }
  }

  private SearchResponse profiled(String index) {
    return client()
        .prepareSearch(index)
        .setProfile(true)
        .setRequestCache(false)
        .setQuery(random(START + 1_000_000, START + 9_000_000))
        .get();
  }

  private static String queries(SearchResponse response) {
    StringBuilder text = new StringBuilder();
    response
        .getProfileResults()
        .values()
        .forEach(shard ->
            shard
                .getQueryProfileResults()
                .forEach(each -> each.getQueryResults().forEach(one -> append(one, text))));
    return text.toString();
  }

  private static void append(ProfileResult result, StringBuilder text) {
    text.append(result.getQueryName()).append('\n');
    result.getProfiledChildren().forEach(child -> append(child, text));
  }

  public void testTheSameAnswersAndTheProfileShowsThePlan() throws Exception {
    documents("a", Settings.EMPTY);
    compare("a");
    Supplier<String> plan = () -> queries(profiled("a"));
    assertTrue(plan.get(), plan.get().contains("SkipListRangeQuery"));
    set("millrace.search.time_pruning.ranges", null); // the default
    assertFalse(plan.get(), plan.get().contains("SkipListRangeQuery"));
    set("millrace.search.time_pruning.ranges", "true");
    set("search.concurrent_segment_search.mode", "all");
    compare("a");
    set("search.concurrent_segment_search.mode", null);
  }

  public void testARangeAloneUnderAggregations() throws Exception {
    documents("c", Settings.EMPTY, false);
    compare("c");
    RangeQueryBuilder range = QueryBuilders.rangeQuery("@timestamp").gte(START + 1_500_000);
    QueryBuilder filter = QueryBuilders.boolQuery().filter(range);
    AggregationBuilder terms = AggregationBuilders.terms("h").field("level");
    assertTrue(profile(range, terms).contains("by skip list"));
    assertTrue(profile(filter, terms).contains("SkipListRangeQuery"));
    // stock counts by points, or adds empty buckets by its plan
    String plain = profile(range, histogram(null));
    assertTrue(plain, plain.contains("\"optimized_segments\":1"));
    CompositeAggregationBuilder composite =
        new CompositeAggregationBuilder(
            "h",
            List.of(
                new DateHistogramValuesSourceBuilder("t")
                    .field("@timestamp")
                    .fixedInterval(DateHistogramInterval.minutes(10))));
    for (AggregationBuilder bound :
        List.of(
            histogram(null),
            histogram("Europe/Berlin"),
            composite,
            AggregationBuilders.terms("u").field("level").subAggregation(histogram(null)))) {
      for (QueryBuilder query : List.of(range, filter, random(START, START + 9_000_000))) {
        String profile = profile(query, bound);
        assertFalse(profile, profile.contains("by skip list"));
        assertFalse(profile, profile.contains("SkipListRangeQuery"));
      }
    }
  }

  private static DateHistogramAggregationBuilder histogram(String zone) {
    DateHistogramAggregationBuilder histogram =
        AggregationBuilders.dateHistogram("h")
            .field("@timestamp")
            .fixedInterval(DateHistogramInterval.minutes(10));
    return zone == null ? histogram : histogram.timeZone(ZoneId.of(zone));
  }

  private String profile(QueryBuilder query, AggregationBuilder aggregation) {
    return client()
        .prepareSearch("c")
        .setProfile(true)
        .setRequestCache(false)
        .setSize(0)
        .setQuery(query)
        .addAggregation(aggregation)
        .get()
        .toString();
  }

  public void testSortedIndicesKeepStocksPlan() throws Exception {
    documents(
        "b",
        Settings.builder()
            .put("index.sort.field", "@timestamp")
            .put("index.sort.order", random().nextBoolean() ? "asc" : "desc")
            .build());
    compare("b");
    assertFalse(queries(profiled("b")).contains("SkipListRangeQuery"));
  }
}
