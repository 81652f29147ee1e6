package io.millrace.guard.debt;

import io.millrace.guard.heap.HeapView;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.metric.Metric;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.script.MockScriptPlugin;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Debt and its end in a node whose heap reports what the test tells it to. */
public class GcDebtNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String PREFIX = "millrace.guard.gc_debt.";

  /** Full and collecting without a pause, or at rest. */
  private static final class ToldHeap implements HeapView {
    private volatile boolean spiral;
    private long millis;
    private long last = System.nanoTime();

    @Override
    public long bytes() {
      return spiral ? 99 : 10;
    }

    @Override
    public long max() {
      return 100;
    }

    @Override
    public synchronized long collectingMillis() {
      long now = System.nanoTime();
      if (spiral) {
        millis += 1 + (now - last) / 1_000_000;
      }
      last = now;
      return millis;
    }
  }

  /** The feature with a heap that is told what to look like. */
  public static final class Host extends FeaturePlugin {
    private final ToldHeap heap;
    private final AtomicInteger left;

    public Host() {
      this(new ToldHeap(), new AtomicInteger());
    }

    private Host(ToldHeap heap, AtomicInteger left) {
      super(List.of(new GcDebtFeature(heap, left::incrementAndGet)));
      this.heap = heap;
      this.left = left;
    }

    private long metric(String name) {
      for (Metric metric : features.getFirst().metrics()) {
        if (metric.name().equals(name)) {
          return (long) metric.samples().get().getFirst().value();
        }
      }
      throw new AssertionError(name);
    }
  }

  /** A script that holds its search until it is let go. */
  public static final class Holding extends MockScriptPlugin {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    @Override
    protected Map<String, Function<Map<String, Object>, Object>> pluginScripts() {
      return Map.of(
          "hold",
          vars -> {
            reached.countDown();
            try {
              return letGo.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, Holding.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  private <T extends Plugin> T plugin(Class<T> type) {
    return getInstanceFromNode(PluginsService.class).filterPlugins(type).getFirst();
  }

  private void set(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  private SearchRequestBuilder aggregation() {
    return client()
        .prepareSearch("d")
        .setSize(0)
        .addAggregation(AggregationBuilders.terms("t").field("id"));
  }

  private static BulkRequest bulk(int bytes) {
    return new BulkRequest().add(new IndexRequest("d").source("text", "x".repeat(bytes)));
  }

  private static void assertShed(Exception e) {
    Throwable cause = ExceptionsHelper.unwrap(e, CircuitBreakingException.class);
    assertNotNull(e.toString(), cause);
    assertTrue(cause.getMessage(), cause.getMessage().contains("[gc_debt]"));
    assertTrue(cause.getMessage(), cause.getMessage().contains(PREFIX + "shed_after"));
    assertEquals(RestStatus.TOO_MANY_REQUESTS, ((CircuitBreakingException) cause).status());
  }

  @Override
  public void tearDown() throws Exception {
    plugin(Host.class).heap.spiral = false;
    set(Settings.builder().putNull(PREFIX + "*"));
    super.tearDown();
  }

  private void fill() {
    createIndex(
        "d",
        Settings.builder().put("index.number_of_shards", 1).build(),
        "_doc",
        "id",
        "type=keyword",
        "text",
        "type=text,index=false");
    BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = 0; i < 20; i++) {
      bulk.add(new IndexRequest("d").source("id", "id-" + i));
    }
    assertFalse(client().bulk(bulk).actionGet().hasFailures());
  }

  public void testShedsHeavyRequestsAndServesAgain() throws Exception {
    fill();
    Host host = plugin(Host.class);
    aggregation().get();
    set(
        Settings.builder()
            .put(PREFIX + "shed_after", "100ms")
            .put(PREFIX + "cancel_after", "1d")
            .put(PREFIX + "leave_after", "1d"));
    host.heap.spiral = true;
    assertBusy(() -> assertEquals(1, host.metric("stage")), 30, TimeUnit.SECONDS);
    assertShed(expectThrows(Exception.class, () -> aggregation().get()));
    assertShed(
        expectThrows(Exception.class, () -> client().prepareSearch("d").setSize(1000).get()));
    assertShed(expectThrows(Exception.class, () -> client().bulk(bulk(200_000)).actionGet()));
    // what is small goes on
    assertEquals(20, client().prepareSearch("d").get().getHits().getTotalHits().value());
    assertFalse(client().bulk(bulk(100)).actionGet().hasFailures());
    assertEquals(3, host.metric("shed"));
    assertEquals(0, host.metric("cancelled"));
    assertEquals(0, host.left.get());

    host.heap.spiral = false;
    assertBusy(() -> assertEquals(0, host.metric("stage")), 60, TimeUnit.SECONDS);
    // less than what sheds may be left for a moment
    assertBusy(() -> assertEquals(0, host.metric("debt")));
    aggregation().get();
    assertFalse(client().bulk(bulk(200_000)).actionGet().hasFailures());
  }

  public void testCancelsTheSearchThatRuns() throws Exception {
    fill();
    Host host = plugin(Host.class);
    Holding holding = plugin(Holding.class);
    set(
        Settings.builder()
            .put(PREFIX + "shed_after", "100ms")
            .put(PREFIX + "cancel_after", "100ms")
            .put(PREFIX + "leave_after", "1d"));
    ActionFuture<SearchResponse> search =
        client()
            .prepareSearch("d")
            .setQuery(
                QueryBuilders.scriptQuery(
                    new Script(ScriptType.INLINE, Holding.NAME, "hold", Map.of())))
            .execute();
    assertTrue(holding.reached.await(30, TimeUnit.SECONDS));
    assertEquals(1, host.metric("searches"));
    host.heap.spiral = true;
    assertBusy(() -> assertEquals(1, host.metric("cancelled")), 30, TimeUnit.SECONDS);
    holding.letGo.countDown();
    Exception e = expectThrows(Exception.class, search::actionGet);
    Throwable cause = ExceptionsHelper.unwrap(e, CircuitBreakingException.class);
    assertNotNull(ExceptionsHelper.stackTrace(e), cause);
    assertTrue(cause.getMessage(), cause.getMessage().contains("[gc_debt]"));
    assertTrue(cause.getMessage(), cause.getMessage().contains(PREFIX + "cancel_after"));
    assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(e));
    assertBusy(() -> assertEquals(0, host.metric("searches")));
    assertEquals("one search, cancelled once", 1, host.metric("cancelled"));
    assertEquals(0, host.left.get());
  }

  public void testLeavesAndOnlyThen() throws Exception {
    Host host = plugin(Host.class);
    set(Settings.builder().put(PREFIX + "leave_after", "1d"));
    host.heap.spiral = true;
    assertBusy(() -> assertEquals(1, host.metric("stage")), 30, TimeUnit.SECONDS);
    assertEquals(0, host.left.get());
    set(Settings.builder().put(PREFIX + "leave_after", "100ms"));
    assertBusy(() -> assertTrue(host.left.get() > 0), 30, TimeUnit.SECONDS);
    assertBusy(() -> assertEquals(3, host.metric("stage")), 30, TimeUnit.SECONDS);
  }

  public void testOffIsNoDebt() throws Exception {
    Host host = plugin(Host.class);
    set(Settings.builder().put(PREFIX + "leave_after", "1d").put(PREFIX + "shed_after", "100ms"));
    host.heap.spiral = true;
    assertBusy(() -> assertTrue(host.metric("debt") > 0), 30, TimeUnit.SECONDS);
    set(Settings.builder().put(PREFIX + "enabled", false));
    assertBusy(() -> assertEquals(0, host.metric("debt")), 60, TimeUnit.SECONDS);
    fill();
    aggregation().get();
    assertEquals(0, host.metric("shed"));
  }
}
