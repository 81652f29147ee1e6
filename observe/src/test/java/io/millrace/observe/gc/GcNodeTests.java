package io.millrace.observe.gc;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.metric.Durations;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.report.NodeReport;
import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The report of a node, its switch and its defaults. */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // the flight recorder keeps threads of its own
public class GcNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the feature. */
  public static final class Host extends FeaturePlugin {
    final GcFeature gc;

    public Host() {
      this(new GcFeature());
    }

    private Host(GcFeature gc) {
      super(List.<Feature>of(gc));
      this.gc = gc;
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private GcObservation observation() {
    return getInstanceFromNode(PluginsService.class)
        .filterPlugins(Host.class)
        .getFirst()
        .gc
        .observation();
  }

  public void testReportHasTheSeedsShape() throws Exception {
    assertBusy(() -> assertTrue(observation().fromEvents()), 120, TimeUnit.SECONDS);
    long before = observation().pauses().count();
    long full = observation().fullCollections() - observation().requestedFullCollections();
    System.gc();
    assertBusy(() -> assertTrue(observation().pauses().count() > before), 120, TimeUnit.SECONDS);
    // G1, Parallel and Serial answer with a full collection, for which no alarm may fire
    assertBusy(
        () ->
            assertEquals(
                full, observation().fullCollections() - observation().requestedFullCollections()),
        120,
        TimeUnit.SECONDS);
    NodeReport report =
        client()
            .execute(NodeReportAction.INSTANCE, new NodeReportRequest("gc"))
            .actionGet()
            .getNodes()
            .get(0);
    Map<?, ?> collectors = (Map<?, ?>) ((Map<?, ?>) report.report().get("gc")).get("collectors");
    assertFalse(collectors.isEmpty());
    collectors
        .values()
        .forEach(collector -> {
          assertTrue(((Map<?, ?>) collector).get("collection_count") instanceof Long);
          assertTrue(((Map<?, ?>) collector).get("collection_time_in_millis") instanceof Long);
        });
    assertEquals("jfr", ((Map<?, ?>) report.report().get("source")).get("pauses"));
    Map<?, ?> heap = (Map<?, ?>) report.report().get("heap");
    assertTrue((Long) heap.get("after_gc_in_bytes") > 0);
    assertTrue((Long) ((Map<?, ?>) report.report().get("rates")).get("allocated_in_bytes") > 0);
  }

  public void testSwitchStopsAndStartsTheRecorder() throws Exception {
    assertBusy(() -> assertTrue(observation().fromEvents()), 120, TimeUnit.SECONDS);
    System.gc();
    assertBusy(() -> assertTrue(observation().pauses().count() > 0), 120, TimeUnit.SECONDS);
    assertBusy(() -> assertTrue(observation().heapAfterBytes() > 0), 120, TimeUnit.SECONDS);
    set("false");
    assertBusy(() -> assertFalse(observation().fromEvents()), 120, TimeUnit.SECONDS);
    assertEquals("no old figure stands for the heap of now", 0, observation().heapAfterBytes());
    // a count that changed its source would fall, which Prometheus takes for a restart
    Durations counted = observation().pauses();
    set(null);
    assertBusy(() -> assertTrue(observation().fromEvents()), 120, TimeUnit.SECONDS);
    assertSame(counted, observation().pauses());
  }

  public void testMetricsAreReadable() {
    for (Metric metric : new GcFeature().metrics()) {
      metric.samples().get().forEach(sample -> assertTrue(metric.name(), sample.value() >= 0));
    }
  }

  private void set(String value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put("millrace.observe.gc.enabled", value))
        .get();
  }
}
