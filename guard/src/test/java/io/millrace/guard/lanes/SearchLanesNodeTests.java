package io.millrace.guard.lanes;

import io.millrace.guard.FeatureNodeTestCase;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
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
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.MockScriptPlugin;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;
import org.opensearch.threadpool.ThreadPool;

/** Light and heavy searches on one node; a heavy one is a script that waits to be let go. */
public class SearchLanesNodeTests extends FeatureNodeTestCase {
  private static final long BURNT_NANOS = 150_000_000;
  private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);
  private static volatile CountDownLatch release = new CountDownLatch(0);
  private static final AtomicInteger AT_WORK = new AtomicInteger();

  /** Hosts the feature; the node constructs it, the test finds it again. */
  public static final class Host extends FeaturePlugin {
    static volatile SearchLanesFeature feature;

    public Host() {
      super(List.of(feature = new SearchLanesFeature()));
    }
  }

  /** Burns enough CPU to be heavy, then waits. */
  public static final class Heavy extends MockScriptPlugin {
    @Override
    protected Map<String, Function<Map<String, Object>, Object>> pluginScripts() {
      return Map.of("heavy", vars -> work());
    }
  }

  private static boolean work() {
    AT_WORK.incrementAndGet();
    try {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long end = threads.getCurrentThreadCpuTime() + BURNT_NANOS;
      while (threads.getCurrentThreadCpuTime() < end) {
        Thread.onSpinWait();
      }
      stay();
      return true;
    } finally {
      AT_WORK.decrementAndGet();
    }
  }

  private static void stay() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Feature feature() {
    return Host.feature;
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, Heavy.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    createIndex("s", Settings.builder().put("index.number_of_shards", 1).build());
    BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    bulk.add(new IndexRequest("s").source("n", 1));
    assertFalse(client().bulk(bulk).actionGet().hasFailures());
    for (int i = 0; i < 20; i++) {
      light(); // the first ones of a JVM use much
    }
    set("heavy_cpu", "75ms");
  }

  private void light() {
    assertEquals(1, client().prepareSearch("s").get().getHits().getTotalHits().value());
  }

  @Override
  public void tearDown() throws Exception {
    release.countDown();
    super.tearDown();
  }

  private SearchRequestBuilder heavy() {
    return client()
        .prepareSearch("s")
        .setQuery(
            QueryBuilders.scriptQuery(
                new Script(ScriptType.INLINE, "mockscript", "heavy", Map.of())));
  }

  private int threads() {
    return getInstanceFromNode(ThreadPool.class).info(ThreadPool.Names.SEARCH).getMax();
  }

  private int threadsNow() {
    return ((java.util.concurrent.ThreadPoolExecutor)
            getInstanceFromNode(ThreadPool.class).executor(ThreadPool.Names.SEARCH))
        .getMaximumPoolSize();
  }

  public void testALightSearchDoesNotWaitForHeavyOnes() throws Exception {
    heavy().get(); // so that the shape is known
    set("heavy_at_once", "2");
    release = new CountDownLatch(1);
    List<ActionFuture<SearchResponse>> storm = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      storm.add(heavy().execute());
    }
    assertBusy(() -> assertEquals(2, AT_WORK.get()));
    assertBusy(() -> assertEquals(18, metric("waiting"), 0));
    for (int i = 0; i < 20; i++) {
      light();
    }
    // an answer reaches its client a moment before its search leaves the list
    assertBusy(() -> assertEquals(20, metric("searches"), 0));
    List<?> listed = (List<?>) new SearchesReport(lanesOf()).report().get("searches");
    assertEquals(20, listed.size());
    Map<?, ?> first = (Map<?, ?>) listed.get(0);
    assertEquals("heavy", first.get("lane"));
    assertEquals("runs", first.get("state"));
    assertTrue(first.toString(), first.get("source").toString().contains("mockscript"));
    assertTrue(first.get("cancel").toString().endsWith("/_cancel"));
    release.countDown();
    for (ActionFuture<SearchResponse> each : storm) {
      assertEquals(1, each.actionGet(PATIENCE).getHits().getTotalHits().value());
    }
    assertBusy(() -> assertEquals(0, metric("searches"), 0));
    assertEquals(0, metric("heavy"), 0);
  }

  private static Lanes lanesOf() {
    return Host.feature.lanes();
  }

  public void testAWaitingSearchCanBeCancelledAndHasATimeout() throws Exception {
    heavy().get();
    set("heavy_at_once", "1");
    release = new CountDownLatch(1);
    ActionFuture<SearchResponse> running = heavy().execute();
    assertBusy(() -> assertEquals(1, AT_WORK.get()));
    Exception late =
        expectThrows(
            Exception.class,
            () -> heavy().setTimeout(TimeValue.timeValueMillis(50)).execute().actionGet(PATIENCE));
    assertEquals(
        ExceptionsHelper.stackTrace(late),
        RestStatus.TOO_MANY_REQUESTS,
        ExceptionsHelper.status(late));
    assertTrue(ExceptionsHelper.stackTrace(late).contains("its timeout"));
    assertEquals("who has its answer is listed no more", 1, lanesOf().turns().size());
    ActionFuture<SearchResponse> waiting = heavy().execute();
    assertBusy(() -> assertEquals(1, metric("waiting"), 0));
    Turn turn = lanesOf().turns().stream().filter(each -> !each.begun).findFirst().orElseThrow();
    TaskId search = turn.work().task().getParentTaskId();
    client().admin().cluster().prepareCancelTasks().setTaskId(search).get();
    Exception cancelled = expectThrows(Exception.class, () -> waiting.actionGet(PATIENCE));
    assertTrue(ExceptionsHelper.stackTrace(cancelled).contains("cancelled"));
    release.countDown();
    assertEquals(1, running.actionGet(PATIENCE).getHits().getTotalHits().value());
    assertBusy(() -> assertEquals(0, metric("searches"), 0));
  }

  /** Who is refused may do anything where it is told, such as wait for another search. */
  public void testWhatARefusedClientDoesDelaysNobody() throws Exception {
    heavy().get();
    set("heavy_at_once", "1");
    release = new CountDownLatch(1);
    ActionFuture<SearchResponse> running = heavy().execute();
    assertBusy(() -> assertEquals(1, AT_WORK.get()));
    CountDownLatch told = new CountDownLatch(1);
    heavy()
        .setTimeout(TimeValue.timeValueMillis(50))
        .execute(
            ActionListener.wrap(
                unexpected -> {},
                e -> {
                  told.countDown();
                  stay();
                }));
    assertTrue(told.await(PATIENCE.millis(), TimeUnit.MILLISECONDS));
    Exception second =
        expectThrows(
            Exception.class,
            () -> heavy().setTimeout(TimeValue.timeValueMillis(50)).execute().actionGet(PATIENCE));
    assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(second));
    release.countDown();
    assertEquals(1, running.actionGet(PATIENCE).getHits().getTotalHits().value());
  }

  public void testOffIsStock() throws Exception {
    int stock = threads();
    assertEquals(Math.max(32, stock), threadsNow());
    set("enabled", "false");
    assertEquals(stock, threadsNow());
    double waited = metric("waited");
    heavy().get();
    assertEquals(0, metric("searches"), 0);
    assertEquals(waited, metric("waited"), 0);
    set("enabled", "true");
    assertEquals(Math.max(32, stock), threadsNow());
  }
}
