package io.millrace.search.timepruning;

import io.millrace.kernel.FeaturePlugin;
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
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
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
    set("millrace.search.time_pruning.enabled", "true");
  }

  @Override
  public void tearDown() throws Exception {
    set("millrace.search.time_pruning.enabled", null);
    super.tearDown();
  }

  private void documents(String index, Settings settings) {
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
        if (i % 100 == 7) {
          time = "[" + time + "," + (START + random().nextInt(COUNT) * 1000L) + "]";
        }
        bulk.add(
            client()
                .prepareIndex(index)
                .setId(Integer.toString(i))
                .setSource(
                    "{"
                        + (i % 50 == 3 ? "" : "\"@timestamp\":" + time + ",")
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
      bulk.add(client().prepareDelete(index, Integer.toString(i)));
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
    for (int i = 0; i < 12; i++) {
      long from = START + random().nextInt(COUNT) * 1000L;
      long to = from + random().nextInt(COUNT) * 1000L;
      SearchRequestBuilder search =
          client()
              .prepareSearch(index)
              .setQuery(random(from, to))
              .setTrackTotalHits(true)
              .setRequestCache(false)
              .setSize(random().nextInt(50));
      if (random().nextBoolean()) {
        search.addSort("@timestamp", random().nextBoolean() ? SortOrder.ASC : SortOrder.DESC);
      }
      if (random().nextBoolean()) {
        search.addAggregation(
            AggregationBuilders.dateHistogram("h")
                .field("@timestamp")
                .fixedInterval(DateHistogramInterval.minutes(10)));
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
    set("millrace.search.time_pruning.enabled", null); // the default
    assertFalse(plan.get(), plan.get().contains("SkipListRangeQuery"));
    set("millrace.search.time_pruning.enabled", "true");
    set("search.concurrent_segment_search.mode", "all");
    compare("a");
    set("search.concurrent_segment_search.mode", null);
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
