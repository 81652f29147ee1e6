package io.millrace.observe.freshness;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.observe.nodes.NodeReportRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Waits measured in a node: from the write to the refresh that shows it. */
public class FreshnessNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the feature. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.<Feature>of(new FreshnessFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private Map<?, ?> of(String index) {
    Map<String, Object> report =
        client()
            .execute(FreshnessAction.INSTANCE, new NodeReportRequest())
            .actionGet()
            .getNodes()
            .get(0)
            .report();
    return (Map<?, ?>) ((Map<?, ?>) report.get("indices")).get(index);
  }

  private long count(String index) {
    return (Long) ((Map<?, ?>) of(index).get("waits")).get("count");
  }

  private void create(String index, String refresh) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(
            Settings.builder().put("index.refresh_interval", refresh).put("number_of_shards", 1))
        .get();
  }

  public void testAWriteWaitsUntilTheRefresh() throws Exception {
    create("slow", "-1");
    assertEquals(0L, of("slow").get("waiting_in_millis"));
    client().prepareIndex("slow").setId("1").setSource("a", 1).get();
    assertBusy(
        () -> assertTrue((Long) of("slow").get("waiting_in_millis") > 0), 120, TimeUnit.SECONDS);
    assertEquals(0, count("slow"));
    client().admin().indices().prepareRefresh("slow").get();
    assertEquals(1, count("slow"));
    assertTrue((Long) ((Map<?, ?>) of("slow").get("waits")).get("max_in_micros") > 0);
    assertEquals(0L, of("slow").get("waiting_in_millis"));
    client().prepareDelete("slow", "1").get();
    client().admin().indices().prepareRefresh("slow").get();
    assertEquals("a delete waits, too", 2, count("slow"));
    client().admin().indices().prepareRefresh("slow").get();
    assertEquals("nothing new, nothing measured", 2, count("slow"));
    assertEquals(-1L, of("slow").get("target_in_millis"));
  }

  public void testLateBesideItsPromise() throws Exception {
    create("fast", "1h");
    client().prepareIndex("fast").setSource("a", 1).get();
    assertEquals(3_600_000L, of("fast").get("target_in_millis"));
    assertEquals(false, of("fast").get("late"));
    assertEquals("none", of("fast").get("profile"));
  }

  public void testScheduledRefreshesAreMeasured() throws Exception {
    create("s", "100ms");
    for (int i = 0; i < 20; i++) {
      client().prepareIndex("s").setSource("a", i).get();
    }
    assertBusy(
        () -> {
          assertTrue(count("s") > 0);
          assertEquals(0L, of("s").get("waiting_in_millis"));
        },
        120,
        TimeUnit.SECONDS);
  }

  public void testIndexGoesAwayAndSwitch() throws Exception {
    create("gone", "-1");
    client().prepareIndex("gone").setSource("a", 1).get();
    client().admin().indices().prepareDelete("gone").get();
    assertBusy(() -> assertNull(of("gone")), 120, TimeUnit.SECONDS);
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put("millrace.observe.freshness.enabled", "false"))
        .get();
    create("off", "-1");
    client().prepareIndex("off").setSource("a", 1).get();
    client().admin().indices().prepareRefresh("off").get();
    assertEquals(0, count("off"));
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().putNull("millrace.observe.freshness.enabled"))
        .get();
  }
}
