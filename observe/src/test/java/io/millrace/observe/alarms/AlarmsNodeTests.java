package io.millrace.observe.alarms;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import io.millrace.kernel.settings.Switch;
import io.millrace.observe.ObserveDomain;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Alarms of a node with the whole domain. */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // the flight recorder keeps threads of its own
public class AlarmsNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the domain. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(Stream.concat(ObserveDomain.features().stream(), Stream.of(new Relief())).toList());
    }
  }

  /** Knows what would free a disk. */
  private static final class Relief implements Feature {
    private final Switch enabled = Feature.switchFor(id(), true);

    @Override
    public String id() {
      return "test.relief";
    }

    @Override
    public String summary() {
      return "knows";
    }

    @Override
    public List<String> sources() {
      return List.of();
    }

    @Override
    public Switch enabled() {
      return enabled;
    }

    @Override
    public void declare(Hooks hooks) {
      hooks.diskRelief((node, listener) -> listener.onResponse("[old] would go next"));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private Map<?, ?> alarm(String name) {
    Map<String, Object> report =
        client()
            .execute(NodeReportAction.INSTANCE, new NodeReportRequest("alarms"))
            .actionGet()
            .getNodes()
            .get(0)
            .report();
    Map<?, ?> alarm = (Map<?, ?>) ((Map<?, ?>) report.get("alarms")).get(name);
    assertNotNull(report.toString(), alarm);
    return alarm;
  }

  private void set(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  public void testATrippedBreakerFires() throws Exception {
    client().prepareIndex("i").setSource("a", "x", "n", 1).get();
    client().admin().indices().prepareRefresh("i").get();
    assertBusy(
        () -> assertEquals(false, alarm("breaker_trips").get("firing")), 120, TimeUnit.SECONDS);
    set(Settings.builder().put("indices.breaker.request.limit", "1b"));
    try {
      expectThrows(
          Exception.class,
          () ->
              client()
                  .prepareSearch("i")
                  .addAggregation(AggregationBuilders.terms("t").field("a.keyword"))
                  .get());
    } finally {
      set(Settings.builder().putNull("indices.breaker.request.limit"));
    }
    assertBusy(
        () -> assertEquals(true, alarm("breaker_trips").get("firing")), 120, TimeUnit.SECONDS);
    assertTrue(String.valueOf(alarm("breaker_trips").get("action")).contains("smaller"));
    set(Settings.builder().put("millrace.observe.alarms.breaker_trips", 0));
    assertBusy(
        () -> assertEquals(false, alarm("breaker_trips").get("firing")), 120, TimeUnit.SECONDS);
    set(Settings.builder().putNull("millrace.observe.alarms.breaker_trips"));
  }

  public void testAFullDiskSaysWhatWouldGo() throws Exception {
    String watermark = "cluster.routing.allocation.disk.watermark.";
    set(
        Settings.builder()
            .put(watermark + "low", "900pb")
            .put(watermark + "high", "1b")
            .put(watermark + "flood_stage", "1b"));
    try {
      assertBusy(() -> assertEquals(true, alarm("disk").get("firing")), 120, TimeUnit.SECONDS);
      String action = String.valueOf(alarm("disk").get("action"));
      assertTrue(action, action.endsWith(". [old] would go next"));
    } finally {
      set(
          Settings.builder()
              .putNull(watermark + "low")
              .putNull(watermark + "high")
              .putNull(watermark + "flood_stage"));
    }
    assertBusy(() -> assertEquals(false, alarm("disk").get("firing")), 120, TimeUnit.SECONDS);
  }

  public void testBadThresholdIsRefused() {
    IllegalArgumentException refused =
        expectThrows(
            IllegalArgumentException.class,
            () -> set(Settings.builder().put("millrace.observe.alarms.heap_percent", 101)));
    assertTrue(refused.getMessage(), refused.getMessage().contains("must be <= 100"));
  }
}
