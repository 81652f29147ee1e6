package io.millrace.search.deadline;

import io.millrace.kernel.FeaturePlugin;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.MockScriptPlugin;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptType;
import org.opensearch.search.SearchService;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A reduction that ends only when somebody lets it, after the client has its answer. */
public class StoppedReductionNodeTests extends OpenSearchSingleNodeTestCase {
  private static volatile CountDownLatch begun = new CountDownLatch(0);
  private static volatile CountDownLatch held = new CountDownLatch(0);

  /** Hosts the feature in a test node. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new DeadlineFeature()));
    }
  }

  /** The scripts of a metric, the last of which waits. */
  public static final class Scripts extends MockScriptPlugin {
    @Override
    protected Map<String, Function<Map<String, Object>, Object>> pluginScripts() {
      return Map.of(
          "nothing",
          parameters -> 0,
          "wait",
          parameters -> {
            begun.countDown();
            try {
              held.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return 0;
          });
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, Scripts.class);
  }

  @Override
  protected Settings nodeSettings() {
    return Settings.builder()
        .put(super.nodeSettings())
        .put("millrace.search.deadline.grace", "50ms")
        .build();
  }

  private static Script script(String name) {
    return new Script(ScriptType.INLINE, MockScriptPlugin.NAME, name, Map.of());
  }

  public void testAReductionThatDoesNotEndIsAnsweredWithAReason() throws Exception {
    createIndex("a", Settings.builder().put("index.number_of_shards", 2).build());
    client().prepareIndex("a").setSource("n", 1).setRefreshPolicy(RefreshPolicy.IMMEDIATE).get();
    begun = new CountDownLatch(1);
    held = new CountDownLatch(1);
    try {
      Exception e =
          expectThrows(
              Exception.class,
              () ->
                  client()
                      .prepareSearch("a")
                      .setSize(0)
                      .addAggregation(
                          AggregationBuilders.scriptedMetric("m")
                              .initScript(script("nothing"))
                              .mapScript(script("nothing"))
                              .combineScript(script("nothing"))
                              .reduceScript(script("wait")))
                      .setTimeout(TimeValue.timeValueSeconds(1))
                      .get());
      OpenSearchStatusException reason =
          (OpenSearchStatusException) ExceptionsHelper.unwrap(e, OpenSearchStatusException.class);
      assertNotNull(ExceptionsHelper.stackTrace(e), reason);
      assertEquals(RestStatus.GATEWAY_TIMEOUT, reason.status());
      assertTrue(reason.getMessage(), reason.getMessage().contains("[timeout] of [1000ms]"));
      assertEquals("the search was stopped before it was reduced", 0, begun.getCount());
    } finally {
      held.countDown();
    }
    assertBusy(() -> {
      assertEquals(0, getInstanceFromNode(SearchService.class).getActiveContexts());
      assertTrue(
          client()
              .admin()
              .cluster()
              .prepareListTasks()
              .setActions("indices:data/read/search*")
              .get()
              .getTasks()
              .isEmpty());
    });
    // and its late answer disturbs nobody
    assertEquals(1L, client().prepareSearch("a").get().getHits().getTotalHits().value());
  }
}
