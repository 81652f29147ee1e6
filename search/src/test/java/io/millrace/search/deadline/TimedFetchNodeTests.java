package io.millrace.search.deadline;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.search.EveryHit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.join.ScoreMode;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.index.IndexRequestBuilder;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.IndexModule;
import org.opensearch.index.query.InnerHitBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchService;
import org.opensearch.search.collapse.CollapseBuilder;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Hits that are read only when somebody ends it: no test waits for a time of its own. */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 2,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
public class TimedFetchNodeTests extends OpenSearchIntegTestCase {
  private static final String SWITCH = "millrace.search.deadline.enabled";
  private static final String GRACE = "millrace.search.deadline.grace";
  private static final int DOCUMENTS = 60;

  /** In the order of {@code n}, so that it is in no first portion of a shard. */
  private static final int STUCK = DOCUMENTS - 1;

  /** Hosts the feature in a test node. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new DeadlineFeature()));
    }
  }

  /** Reads some hits again and again, until the reader throws or the search is cancelled. */
  public static final class Stuck extends EveryHit {
    private final ThreadLocal<SearchContext> searches = new ThreadLocal<>();

    @Override
    public void onIndexModule(IndexModule module) {
      module.addSearchOperationListener(
          new SearchOperationListener() {
            @Override
            public void onPreQueryPhase(SearchContext context) {
              searches.set(context);
            }

            @Override
            public void onPreFetchPhase(SearchContext context) {
              searches.set(context);
            }
          });
    }

    @Override
    protected void read(FetchSubPhase.HitContext hit) throws IOException {
      while (hit.hit().getId() != null && hit.hit().getId().startsWith("stuck")) {
        TermsEnum terms = hit.reader().terms("k").iterator();
        while (terms.next() != null) {
          Thread.onSpinWait();
        }
        if (searches.get().isCancelled()) {
          throw new TaskCancelledException("cancelled");
        }
      }
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(Stuck.class, Host.class);
  }

  /**
   * Readers that can be stopped, as by default: the framework's default is random. And no search is
   * stopped which only waits for a busy machine.
   */
  @Override
  protected Settings nodeSettings(int ordinal) {
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        .put(SearchService.LOW_LEVEL_CANCELLATION_SETTING.getKey(), true)
        .put(GRACE, "5m")
        .build();
  }

  private void documents(String index, int shards, boolean stuck) throws Exception {
    assertAcked(
        prepareCreate(index)
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", shards)
                    .put("index.number_of_replicas", 0))
            .setMapping(
                "k", "type=keyword", "n", "type=integer", "t", "type=text", "c", "type=nested"));
    List<IndexRequestBuilder> all = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      all.add(
          client()
              .prepareIndex(index)
              .setId((stuck && i == STUCK ? "stuck" : "d") + i)
              .setSource(
                  "{\"k\":\"k"
                      + i % 7
                      + "\",\"n\":"
                      + i
                      + ",\"t\":\"some words of "
                      + i
                      + "\",\"c\":[{\"x\":1},{\"x\":2}]}",
                  XContentType.JSON));
    }
    indexRandom(true, false, all);
  }

  private SearchRequestBuilder search(String index) {
    return client()
        .prepareSearch(index)
        .setQuery(QueryBuilders.rangeQuery("n").gte(0))
        .addSort("n", SortOrder.ASC)
        .setSize(DOCUMENTS)
        .setTrackTotalHits(true)
        .setAllowPartialSearchResults(true)
        .setTimeout(TimeValue.timeValueSeconds(2)); // ample for all that is not stuck
  }

  private void set(String key, String value) {
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(Settings.builder().put(key, value)));
  }

  private static List<String> ids(SearchResponse response) {
    return Arrays.stream(response.getHits().getHits()).map(SearchHit::getId).toList();
  }

  private void nothingGoesOn() throws Exception {
    assertBusy(() ->
        assertTrue(
            client()
                .admin()
                .cluster()
                .prepareListTasks()
                .setActions("indices:data/read/search*")
                .get()
                .getTasks()
                .isEmpty()));
    for (String node : internalCluster().getNodeNames()) {
      assertBusy(() ->
          assertEquals(
              0, internalCluster().getInstance(SearchService.class, node).getActiveContexts()));
    }
  }

  private void partOfTheHits(int shards) throws Exception {
    documents("a", shards, true);
    SearchResponse response = search("a").get();
    assertTrue(response.isTimedOut());
    assertEquals(0, response.getFailedShards());
    assertEquals(DOCUMENTS, response.getHits().getTotalHits().value());
    List<String> read = ids(response);
    assertFalse(read.toString(), read.contains(null));
    assertFalse(read.toString(), read.contains("stuck" + STUCK));
    assertTrue(read.toString(), read.containsAll(List.of("d0", "d1", "d2")));
    List<Integer> values =
        Arrays.stream(response.getHits().getHits())
            .map(hit -> ((Number) hit.getSortValues()[0]).intValue())
            .toList();
    assertEquals(values.stream().sorted().toList(), values);
    nothingGoesOn();
  }

  public void testAShardAnswersTheHitsThatItRead() throws Exception {
    partOfTheHits(1);
  }

  public void testShardsAnswerTheHitsThatTheyRead() throws Exception {
    partOfTheHits(4);
  }

  public void testWithoutPartialResultsUnreadHitsAreAnError() throws Exception {
    for (int shards : new int[] {1, 3}) {
      documents("a" + shards, shards, true);
      Exception e =
          expectThrows(
              Exception.class,
              () -> search("a" + shards).setAllowPartialSearchResults(false).get());
      String message = ExceptionsHelper.stackTrace(e);
      assertTrue(message, message.contains("[allow_partial_search_results] is false"));
      nothingGoesOn();
    }
  }

  public void testWhatHasNoPartialAnswerIsStoppedWithAReason() throws Exception {
    documents("a", 1, true);
    set(GRACE, "50ms");
    try {
      Exception e =
          expectThrows(
              Exception.class, () -> search("a").setCollapse(new CollapseBuilder("n")).get());
      OpenSearchStatusException reason =
          (OpenSearchStatusException) ExceptionsHelper.unwrap(e, OpenSearchStatusException.class);
      assertNotNull(ExceptionsHelper.stackTrace(e), reason);
      assertEquals(RestStatus.GATEWAY_TIMEOUT, reason.status());
      assertTrue(reason.getMessage(), reason.getMessage().contains("[timeout] of [2000ms]"));
      assertTrue(reason.getMessage(), reason.getMessage().contains(GRACE));
      nothingGoesOn();
    } finally {
      set(GRACE, null);
    }
  }

  public void testACancelledSearchEndsWhileItReads() throws Exception {
    documents("a", 2, true);
    var future = search("a").setTimeout(TimeValue.timeValueMinutes(30)).execute();
    assertBusy(() ->
        assertFalse(
            client()
                .admin()
                .cluster()
                .prepareListTasks()
                .setActions("indices:data/read/search[phase/fetch/id]")
                .get()
                .getTasks()
                .isEmpty()));
    client().admin().cluster().prepareCancelTasks().setActions("indices:data/read/search").get();
    try {
      assertTrue(future.actionGet().getFailedShards() > 0);
    } catch (Exception e) {
      assertTrue(
          ExceptionsHelper.stackTrace(e),
          ExceptionsHelper.stackTrace(e).contains("TaskCancelledException"));
    }
    nothingGoesOn();
  }

  public void testAnswersInTimeAreStocks() throws Exception {
    for (int shards : new int[] {1, 3}) {
      String index = "b" + shards;
      documents(index, shards, false);
      List<SearchRequestBuilder> searches =
          List.of(
              search(index),
              search(index).setFrom(5).setSize(20),
              search(index).setFrom(DOCUMENTS + 5).setSize(20),
              search(index).setSize(0),
              search(index)
                  .setQuery(QueryBuilders.matchQuery("t", "words"))
                  .highlighter(new HighlightBuilder().field("t"))
                  .addDocValueField("n"),
              search(index)
                  .setQuery(
                      QueryBuilders.nestedQuery("c", QueryBuilders.matchAllQuery(), ScoreMode.Avg)
                          .innerHit(new InnerHitBuilder())),
              search(index).setFetchSource(false).storedFields("_none_"),
              search(index).setCollapse(new CollapseBuilder("n")));
      for (SearchRequestBuilder search : searches) {
        search.setTimeout(TimeValue.timeValueMinutes(5));
        SearchResponse ours = search.get();
        set(SWITCH, "false");
        SearchResponse stock = search.get();
        set(SWITCH, null);
        assertFalse(ours.isTimedOut());
        assertEquals(
            search.toString(), stock.getHits().getTotalHits(), ours.getHits().getTotalHits());
        assertEquals(
            search.toString(),
            Arrays.toString(stock.getHits().getHits()),
            Arrays.toString(ours.getHits().getHits()));
      }
    }
  }

  public void testAProfileHasTheFetchOfAllPortions() throws Exception {
    documents("a", 2, false);
    SearchResponse response =
        search("a").setProfile(true).setTimeout(TimeValue.timeValueMinutes(5)).get();
    assertEquals(DOCUMENTS, response.getHits().getHits().length);
    assertEquals(2, response.getProfileResults().size());
    response
        .getProfileResults()
        .values()
        .forEach(shard ->
            assertEquals(1, shard.getFetchProfileResult().getFetchProfileResults().size()));
  }
}
