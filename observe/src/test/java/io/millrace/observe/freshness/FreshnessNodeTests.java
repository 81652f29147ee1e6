package io.millrace.observe.freshness;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import io.millrace.kernel.settings.Switch;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Waits measured in a node: from the write to the refresh that shows it. */
public class FreshnessNodeTests extends OpenSearchSingleNodeTestCase {
  /** In the place of write.profiles: says that freshness is kept. */
  private static final class Profiles implements Feature {
    private final Switch enabled = Feature.switchFor(id(), true);

    @Override
    public String id() {
      return "write.profiles";
    }

    @Override
    public String summary() {
      return "settings";
    }

    @Override
    public List<String> sources() {
      return List.of("test");
    }

    @Override
    public Switch enabled() {
      return enabled;
    }

    @Override
    public void declare(Hooks hooks) {
      hooks.profiles().freshnessKept(enabled::on);
    }
  }

  /** Hosts the feature. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.<Feature>of(new FreshnessFeature(), new Profiles()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private Map<String, Object> report() {
    return client()
        .execute(NodeReportAction.INSTANCE, new NodeReportRequest("freshness"))
        .actionGet()
        .getNodes()
        .get(0)
        .report();
  }

  private Map<?, ?> of(String index) {
    return (Map<?, ?>) ((Map<?, ?>) report().get("indices")).get(index);
  }

  private void cluster(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  private void promises(String index, long millis, String setting) throws Exception {
    assertBusy(
        () -> {
          assertEquals(millis, of(index).get("target_in_millis"));
          assertEquals(setting, of(index).get("target_setting"));
        },
        120,
        TimeUnit.SECONDS);
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
    cluster(Settings.builder().put("millrace.observe.freshness.enabled", "false"));
    create("off", "-1");
    client().prepareIndex("off").setSource("a", 1).get();
    client().admin().indices().prepareRefresh("off").get();
    assertEquals(0, count("off"));
    cluster(Settings.builder().putNull("millrace.observe.freshness.enabled"));
  }

  public void testThePromiseIsTheOneThatHolds() throws Exception {
    createIndex(
        "logs-1",
        Settings.builder()
            .put("index.millrace.profile", "logs")
            .put("index.millrace.freshness", "1s")
            .put("index.refresh_interval", "30s")
            .put("index.number_of_shards", 2)
            .build());
    assertEquals("a shard that nobody searched", 30_000L, of("logs-1").get("target_in_millis"));
    assertEquals("index.refresh_interval", of("logs-1").get("target_setting"));
    client().prepareSearch("logs-1").get();
    promises("logs-1", 1_000, "index.millrace.freshness");
    cluster(Settings.builder().put("millrace.write.profiles.enabled", "false"));
    promises("logs-1", 30_000, "index.refresh_interval");
    cluster(Settings.builder().putNull("millrace.write.profiles.enabled"));
    promises("logs-1", 1_000, "index.millrace.freshness");
    index("logs-1", Settings.builder().put("index.millrace.freshness", "3s"));
    promises("logs-1", 3_000, "index.millrace.freshness");
    index("logs-1", Settings.builder().put("index.search.idle.after", "0ms"));
    promises("logs-1", 30_000, "index.refresh_interval");
    assertEquals(false, of("logs-1").get("search_idle"));
  }

  private void index(String index, Settings.Builder settings) {
    client().admin().indices().prepareUpdateSettings(index).setSettings(settings).get();
  }

  public void testTheLateComeFirstAndTheIdleLast() throws Exception {
    createIndex("idle", Settings.builder().put("index.search.idle.after", "0ms").build());
    client().prepareIndex("idle").setSource("a", 1).get();
    create("slow", "1h");
    client().prepareIndex("slow").setSource("a", 1).get();
    create("unpromised", "-1");
    client().prepareIndex("unpromised").setSource("a", 1).get();
    assertBusy(
        () ->
            assertEquals(
                List.of("slow", "unpromised", "idle"),
                List.copyOf(((Map<?, ?>) report().get("indices")).keySet())),
        120,
        TimeUnit.SECONDS);
    assertEquals(true, of("idle").get("search_idle"));
    cluster(Settings.builder().put("millrace.observe.freshness.indices", 1));
    assertEquals(1, report().get("indices_shown"));
    assertEquals("says how many there are", 3, report().get("indices_total"));
    assertEquals(0L, report().get("indices_late"));
    assertNull(of("idle"));
    cluster(Settings.builder().putNull("millrace.observe.freshness.indices"));
  }
}
