package io.millrace.search.timepruning;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertNoFailures;

import io.millrace.kernel.FeaturePlugin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSortField;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexRequestBuilder;
import org.opensearch.action.search.CreatePitAction;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.DeletePitAction;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchType;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.IndexModule;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.search.sort.SortBuilders;
import org.opensearch.search.sort.SortMode;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/**
 * Keywords behind the first field of a sort over the shards of several nodes, with the feature off
 * and on: what a shard sends, what a node merges, cursors, scrolls and points in time. Some
 * documents have no keyword, some several; one shard has none at all, and one index no such field.
 */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 3, supportsDedicatedMasters = false)
public class LateTermClusterNodeTests extends OpenSearchIntegTestCase {
  private static final String SWITCH = "millrace.search.time_pruning.enabled";
  private static final String CONCURRENT = "search.concurrent_segment_search.mode";
  private static final String INDEX = "late";
  private static final String WITHOUT = "late-without";
  private static final String SORTED = "late-sorted";
  private static final long START = 1_795_000_000_000L;
  private static final int DOCUMENTS = 480;
  private static final int BULK = 120;
  private static final int SHARDS = 4;

  /** Documents of one time. */
  private static final int TIES = 24;

  /** Of each index that has them: so many terms, so that the keyword ties as well. */
  private static final int TERMS = 70;

  private static final int WALKS = 20;
  private static final int PAGES = 5;
  private static final int SCROLLS = 6;
  private static final TimeValue KEPT = TimeValue.timeValueMinutes(2);

  /** A search that fails an assertion is never answered: then the test says so. */
  private static final TimeValue ANSWERED = TimeValue.timeValueSeconds(30);

  /** Hosts the feature in a test node, with bounds of time for few documents too. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new TimePruningFeature(50)));
    }
  }

  /** How many searches of a shard have read keywords late, and how many were left to stock. */
  public static final class Watch extends Plugin {
    private final AtomicInteger late = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();

    @Override
    public void onIndexModule(IndexModule module) {
      module.addSearchOperationListener(
          new SearchOperationListener() {
            @Override
            public void onQueryPhase(SearchContext context, long tookInNanos) {
              SortField[] fields = context.sort().sort.getSort();
              for (SortField field : Arrays.asList(fields).subList(1, fields.length)) {
                if (field.getComparatorSource() instanceof LateTermOrder) {
                  late.incrementAndGet();
                } else if (field instanceof SortedSetSortField) {
                  left.incrementAndGet();
                }
              }
            }
          });
    }
  }

  /** A search and what it was answered with the feature off. */
  private record Asked(SearchRequest request, List<String> answer) {}

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(Host.class, Watch.class);
  }

  @Override
  public void tearDown() throws Exception {
    set(SWITCH, null);
    set(CONCURRENT, null);
    super.tearDown();
  }

  private void set(String setting, String value) {
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(Settings.builder().put(setting, value)));
  }

  private static Set<Watch> watches() {
    Set<Watch> all = new HashSet<>();
    for (PluginsService plugins : internalCluster().getInstances(PluginsService.class)) {
      all.addAll(plugins.filterPlugins(Watch.class));
    }
    return all;
  }

  /** Since it was asked last. */
  private static int late() {
    return watches().stream().mapToInt(watch -> watch.late.getAndSet(0)).sum();
  }

  private static int left() {
    return watches().stream().mapToInt(watch -> watch.left.getAndSet(0)).sum();
  }

  private void documents(String index, Settings settings, boolean withKeyword) {
    String trace = withKeyword ? ",\"trace\":{\"type\":\"keyword\"}" : "";
    assertAcked(
        prepareCreate(index)
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", SHARDS)
                    .put("index.number_of_replicas", 0)
                    // the tests' asserting codec takes no fetch of a scroll by another thread
                    .put("index.codec", "default")
                    .put(settings))
            .setMapping(
                "{\"dynamic\":false,\"properties\":{\"@timestamp\":{\"type\":\"date\"},"
                    + "\"level\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"}"
                    + trace
                    + "}}"));
    ensureGreen(index);
    for (int from = 0; from < DOCUMENTS; from += BULK) {
      BulkRequestBuilder bulk = client().prepareBulk();
      for (int i = from; i < from + BULK; i++) {
        bulk.add(document(index, i));
      }
      assertFalse(bulk.get().hasFailures());
      refresh(index); // a segment of its own in each shard
    }
    BulkRequestBuilder deletes = client().prepareBulk();
    for (int i = 0; i < DOCUMENTS; i += 17) {
      deletes.add(client().prepareDelete(index, Integer.toString(i)).setRouting(routing(i)));
    }
    assertFalse(deletes.get().hasFailures());
    refresh(index);
  }

  /** The first kind of documents comes into one shard. */
  private static String routing(int number) {
    return number % 4 == 0 ? "one" : "other" + number;
  }

  private static IndexRequestBuilder document(String index, int number) {
    IndexRequestBuilder document =
        client().prepareIndex(index).setId(Integer.toString(number)).setRouting(routing(number));
    Object time = START + number / TIES * 1000L;
    String level = "L" + number % 3;
    int values = number % 4 == 0 ? 0 : random().nextInt(4);
    if (values == 0) {
      return document.setSource("@timestamp", time, "level", level, "n", number);
    }
    List<String> traces = new ArrayList<>();
    for (int i = 0; i < values; i++) {
      traces.add(term());
    }
    return document.setSource("@timestamp", time, "level", level, "n", number, "trace", traces);
  }

  private static String term() {
    return "t" + Integer.toString(random().nextInt(TERMS), 36);
  }

  private static SortOrder order() {
    return random().nextBoolean() ? SortOrder.ASC : SortOrder.DESC;
  }

  private static FieldSortBuilder keyword(String field) {
    FieldSortBuilder sort = SortBuilders.fieldSort(field).order(order()).unmappedType("keyword");
    switch (random().nextInt(4)) {
      case 0 -> sort.missing("_first");
      case 1 -> sort.missing("_last");
      default -> {} // last
    }
    switch (random().nextInt(3)) {
      case 0 -> sort.sortMode(SortMode.MIN);
      case 1 -> sort.sortMode(SortMode.MAX);
      default -> {} // by the order
    }
    return sort;
  }

  /** Ends by a number that no two documents of an index share, or by the keyword. */
  private static SearchRequestBuilder search() {
    SearchRequestBuilder search =
        client()
            .prepareSearch()
            .setSize(1 + random().nextInt(80))
            .setBatchedReduceSize(2 + random().nextInt(9))
            .setTrackTotalHits(random().nextBoolean());
    switch (random().nextInt(3)) {
      case 0 -> search.setQuery(QueryBuilders.termQuery("level", "L" + random().nextInt(3)));
      case 1 -> search.setQuery(QueryBuilders.rangeQuery("n").gte(random().nextInt(DOCUMENTS)));
      default -> search.setQuery(QueryBuilders.matchAllQuery());
    }
    if (random().nextInt(4) == 0) {
      search.addSort(keyword("level"));
    } else {
      search.addSort(SortBuilders.fieldSort("@timestamp").order(order()));
    }
    search.addSort(keyword("trace"));
    if (random().nextInt(4) == 0) {
      search.addSort(keyword("level"));
    }
    if (random().nextInt(3) > 0) {
      search.addSort(SortBuilders.fieldSort("n").order(order()));
    }
    return search;
  }

  /** Hits that are equal in all sort values may come in any order: their values are compared. */
  private static List<String> answer(SearchResponse response) {
    assertNoFailures(response);
    List<String> answer = new ArrayList<>();
    answer.add(String.valueOf(response.getHits().getTotalHits()));
    for (SearchHit hit : response.getHits().getHits()) {
      Object[] values = hit.getSortValues();
      boolean alone = values[values.length - 1] instanceof Number;
      answer.add(Arrays.toString(values) + (alone ? hit.getIndex() + hit.getId() : ""));
    }
    return answer;
  }

  /** The next page's cursor; now and then with a keyword that no document has, or with none. */
  private static Object[] cursor(SearchHit last) {
    Object[] values = last.getSortValues().clone();
    switch (random().nextInt(5)) {
      case 0 -> values[1] = term() + "!";
      case 1 -> values[1] = null;
      default -> {}
    }
    return values;
  }

  private static List<Asked> walk(SearchRequestBuilder search) {
    List<Asked> pages = new ArrayList<>();
    SearchHit[] hits;
    do {
      SearchRequest request = new SearchRequest(search.request());
      request.source(search.request().source().shallowCopy());
      SearchResponse response = client().search(request).actionGet(ANSWERED);
      pages.add(new Asked(request, answer(response)));
      hits = response.getHits().getHits();
      if (hits.length > 0) {
        search.setFrom(0).searchAfter(cursor(hits[hits.length - 1]));
      }
    } while (hits.length > 0 && pages.size() < PAGES);
    return pages;
  }

  private void compare(List<SearchRequestBuilder> searches) {
    set(SWITCH, "false");
    late();
    List<Asked> stock = new ArrayList<>();
    searches.forEach(search -> stock.addAll(walk(search)));
    assertEquals(0, late());
    set(SWITCH, "true");
    for (Asked asked : stock) {
      SearchResponse ours = client().search(asked.request).actionGet(ANSWERED);
      assertEquals(asked.request.toString(), asked.answer, answer(ours));
    }
    long hits = stock.stream().mapToLong(asked -> asked.answer.size() - 1).sum();
    assertTrue(hits + " hits of " + stock.size() + " pages", hits > 10L * searches.size());
  }

  public void testPagesBehindCursors() {
    documents(INDEX, Settings.EMPTY, true);
    documents(WITHOUT, Settings.EMPTY, false);
    for (String concurrent : List.of("none", "all")) {
      set(CONCURRENT, concurrent);
      left();
      List<SearchRequestBuilder> searches = new ArrayList<>();
      for (int i = 0; i < WALKS; i++) {
        SearchRequestBuilder search = search().setIndices(INDEX, WITHOUT);
        search.setFrom(random().nextInt(3) == 0 ? random().nextInt(200) : 0);
        search.setSearchType(
            random().nextInt(4) == 0
                ? SearchType.DFS_QUERY_THEN_FETCH
                : SearchType.QUERY_THEN_FETCH);
        searches.add(search);
      }
      compare(searches);
      int late = late();
      assertTrue(late + " of shards", late > WALKS * SHARDS);
    }
  }

  public void testPagesOfAPointInTime() throws Exception {
    documents(INDEX, Settings.EMPTY, true);
    CreatePitRequest open = new CreatePitRequest(KEPT, true, INDEX);
    String pit = client().execute(CreatePitAction.INSTANCE, open).get().getId();
    BulkRequestBuilder more = client().prepareBulk();
    for (int i = 0; i < BULK; i++) {
      more.add(document(INDEX, DOCUMENTS + i));
    }
    assertFalse(more.get().hasFailures());
    refresh(INDEX);
    List<SearchRequestBuilder> searches = new ArrayList<>();
    for (int i = 0; i < WALKS / 2; i++) {
      searches.add(search().setPointInTime(new PointInTimeBuilder(pit).setKeepAlive(KEPT)));
    }
    compare(searches);
    assertTrue(late() > 0);
    client().execute(DeletePitAction.INSTANCE, new DeletePitRequest(pit)).get();
  }

  /** Stock stops early in a segment that has the order of the whole sort. */
  public void testASortedIndexStaysStocks() {
    Settings sorted =
        Settings.builder()
            .putList("index.sort.field", "@timestamp", "trace")
            .putList("index.sort.order", "desc", "asc")
            .build();
    documents(SORTED, sorted, true);
    List<SearchRequestBuilder> searches = new ArrayList<>();
    for (int i = 0; i < WALKS / 2; i++) {
      searches.add(search().setIndices(SORTED));
    }
    compare(searches);
    assertTrue(late() > 0); // other orders
    left();
    SearchRequestBuilder whole =
        client()
            .prepareSearch(SORTED)
            .setTrackTotalHits(false)
            .setSize(50)
            .addSort("@timestamp", SortOrder.DESC)
            .addSort("trace", SortOrder.ASC);
    compare(List.of(whole));
    assertEquals(0, late());
    assertTrue(left() > 0);
  }

  /**
   * All pages.
   *
   * @param switched whether the feature goes on and off from page to page
   */
  private List<List<String>> scroll(SearchRequest request, boolean switched) {
    List<List<String>> pages = new ArrayList<>();
    SearchResponse response = client().search(request).actionGet(ANSWERED);
    String id = response.getScrollId();
    while (response.getHits().getHits().length > 0) {
      pages.add(answer(response));
      if (switched) {
        set(SWITCH, Boolean.toString(pages.size() % 2 == 0));
      }
      response = client().prepareSearchScroll(id).setScroll(KEPT).get(ANSWERED);
      id = response.getScrollId();
    }
    client().prepareClearScroll().addScrollId(id).get();
    return pages;
  }

  public void testScrolls() {
    documents(INDEX, Settings.EMPTY, true);
    documents(WITHOUT, Settings.EMPTY, false);
    for (int i = 0; i < SCROLLS; i++) {
      set(CONCURRENT, i % 2 == 0 ? "none" : "all");
      SearchRequest request =
          search()
              .setIndices(INDEX, WITHOUT)
              .setSize(40 + random().nextInt(150))
              .setTrackTotalHits(true)
              .setScroll(KEPT)
              .request();
      set(SWITCH, "false");
      late();
      List<List<String>> stock = scroll(request, false);
      assertEquals(0, late());
      set(SWITCH, "true");
      left();
      assertEquals(request.toString(), stock, scroll(request, false));
      assertTrue(late() > 0);
      assertEquals(0, left());
      assertEquals(request.toString(), stock, scroll(request, true));
    }
  }
}
