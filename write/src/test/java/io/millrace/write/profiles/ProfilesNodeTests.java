package io.millrace.write.profiles;

import static org.opensearch.index.query.QueryBuilders.matchAllQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.profile.LeftOut;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.ProfileEntry;
import io.millrace.kernel.profile.Profiles;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import io.millrace.write.logtext.LogTextFeature;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.admin.indices.settings.get.GetSettingsRequest;
import org.opensearch.action.admin.indices.settings.get.GetSettingsResponse;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.support.WriteRequest;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.Index;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Profiles in a node: what they set, what overrides them, what they refuse, and freshness. */
public class ProfilesNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the feature. */
  public static final class Host extends FeaturePlugin {
    final ProfilesFeature profiles;

    public Host() {
      this(new ProfilesFeature());
    }

    private Host(ProfilesFeature profiles) {
      super(List.of(new LogAnalyzerFeature(), new LogTextFeature(), profiles));
      this.profiles = profiles;
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private Settings create(String index, Settings.Builder settings) {
    client().admin().indices().prepareCreate(index).setSettings(settings).get();
    return client()
        .admin()
        .indices()
        .prepareGetSettings(index)
        .get()
        .getIndexToSettings()
        .get(index);
  }

  private static Settings.Builder profile(String name) {
    return Settings.builder().put("index.millrace.profile", name);
  }

  public void testLogsSetsItsDefaultsVisibly() {
    Settings settings = create("logs", profile("logs"));
    assertEquals("30s", settings.get("index.refresh_interval"));
    assertEquals("1gb", settings.get("index.translog.flush_threshold_size"));
    assertEquals("256mb", settings.get("index.translog.generation_threshold_size"));
    assertEquals("false", settings.get("index.use_compound_file"));
    assertEquals("1", settings.get("index.number_of_shards"));
    assertNull("durability stays stock's", settings.get("index.translog.durability"));
    GetSettingsResponse all =
        client()
            .admin()
            .indices()
            .getSettings(new GetSettingsRequest().indices("logs").includeDefaults(true))
            .actionGet();
    Settings defaults = all.getIndexToDefaultSettings().get("logs");
    assertEquals("5s", defaults.get("index.millrace.freshness"));
    assertEquals("REQUEST", defaults.get("index.translog.durability"));
  }

  public void testTracesAndSearch() {
    assertEquals("5m", create("traces", profile("traces")).get("index.refresh_interval"));
    assertNull(create("search", profile("search")).get("index.refresh_interval"));
    assertNull(create("plain", Settings.builder()).get("index.refresh_interval"));
  }

  public void testRequestOverridesAndNullTakesBack() {
    Settings settings =
        create(
            "logs",
            profile("logs")
                .put("index.refresh_interval", "2s")
                .putNull("index.translog.flush_threshold_size"));
    assertEquals("2s", settings.get("index.refresh_interval"));
    assertNull(settings.get("index.translog.flush_threshold_size"));
  }

  public void testTemplateChoosesAndOverrides() {
    client()
        .admin()
        .indices()
        .preparePutTemplate("t")
        .setPatterns(List.of("app-*"))
        .setSettings(profile("logs").put("index.refresh_interval", "7s"))
        .get();
    client().prepareIndex("app-1").setSource("a", 1).get();
    Settings settings =
        client()
            .admin()
            .indices()
            .prepareGetSettings("app-1")
            .get()
            .getIndexToSettings()
            .get("app-1");
    assertEquals("7s", settings.get("index.refresh_interval"));
    assertEquals("1gb", settings.get("index.translog.flush_threshold_size"));
  }

  public void testUnknownProfileAndChangeAreRefused() {
    IllegalArgumentException unknown =
        expectThrows(IllegalArgumentException.class, () -> create("x", profile("log")));
    assertTrue(
        unknown.getMessage(),
        unknown.getMessage().contains("[log]; use one of [none, logs, traces, search]"));
    create("logs", profile("logs"));
    expectThrows(
        IllegalArgumentException.class,
        () ->
            client()
                .admin()
                .indices()
                .prepareUpdateSettings("logs")
                .setSettings(profile("traces"))
                .get());
    IllegalArgumentException tooFast =
        expectThrows(
            IllegalArgumentException.class,
            () -> create("y", profile("logs").put("index.millrace.freshness", "10ms")));
    assertTrue(tooFast.getMessage(), tooFast.getMessage().contains("use 1s or more"));
  }

  public void testLossyCombinationIsRefused() {
    Exception lossy =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                client()
                    .admin()
                    .indices()
                    .prepareCreate("lossy")
                    .setSettings(Settings.builder().put("index.derived_source.enabled", true))
                    .setMapping("m", "type=match_only_text")
                    .get());
    assertTrue(lossy.getMessage(), lossy.getMessage().contains("[m] of type [match_only_text]"));
  }

  /** Who wants stock's behaviour has it, at the creation and for what comes later. */
  public void testLossyCombinationIsTakenWhereTheIndexSaysSo() {
    client()
        .admin()
        .indices()
        .prepareCreate("losing")
        .setSettings(
            Settings.builder()
                .put("index.derived_source.enabled", true)
                .put("index.millrace.derived_source.lossless", false))
        .setMapping("m", "type=match_only_text")
        .get();
    client()
        .admin()
        .indices()
        .preparePutMapping("losing")
        .setSource("later", "type=match_only_text")
        .get();
    client()
        .admin()
        .indices()
        .prepareUpdateSettings("losing")
        .setSettings(Settings.builder().put("index.millrace.derived_source.lossless", true))
        .get();
    String refused =
        messageOf(() ->
            client()
                .admin()
                .indices()
                .preparePutMapping("losing")
                .setSource("last", "type=match_only_text")
                .get());
    assertTrue(refused, refused.contains("[index.millrace.derived_source.lossless: false]"));
  }

  private static String messageOf(ThrowingRunnable refused) {
    return expectThrows(IllegalArgumentException.class, refused).getMessage();
  }

  public void testLossyCombinationIsRefusedWhenItComesLater() {
    client()
        .admin()
        .indices()
        .prepareCreate("derived")
        .setSettings(Settings.builder().put("index.derived_source.enabled", true))
        .setMapping(
            """
            {"properties":{"level":{"type":"keyword","fields":{"words":{"type":"match_only_text"}}}},
             "dynamic_templates":[{"messages":{"match":"m*",
               "mapping":{"type":"match_only_text"}}}]}\
            """)
        .get();
    String expected = "of type [match_only_text] would be lost from _source";
    for (String index : List.of("derived", "der*")) {
      String said =
          messageOf(() ->
              client()
                  .admin()
                  .indices()
                  .preparePutMapping(index)
                  .setSource(
                      "{\"properties\":{\"a\":{\"properties\":{\"b\":{"
                          + "\"type\":\"match_only_text\"}}}}}",
                      org.opensearch.common.xcontent.XContentType.JSON)
                  .get());
      assertTrue(said, said.contains("[a.b] " + expected));
    }
    String dynamic =
        messageOf(() -> client().prepareIndex("derived").setSource("message", "lost").get());
    assertTrue(dynamic, dynamic.contains("[message] " + expected));
    // what is stored is not lost, and neither is a field beside a derived one
    client()
        .admin()
        .indices()
        .preparePutMapping("derived")
        .setSource("stored", "type=match_only_text,store=true")
        .get();
    client()
        .admin()
        .indices()
        .preparePutMapping("derived")
        .setSource(
            "{\"properties\":{\"host\":{\"type\":\"keyword\",\"fields\":{\"words\":{"
                + "\"type\":\"match_only_text\"}}}}}",
            org.opensearch.common.xcontent.XContentType.JSON)
        .get();
    createIndex("plain");
    client()
        .admin()
        .indices()
        .preparePutMapping("plain")
        .setSource("m", "type=match_only_text")
        .get();
  }

  public void testOffSetsNothing() {
    setTransient("millrace.write.profiles.enabled", "false");
    try {
      assertNull(create("logs", profile("logs")).get("index.refresh_interval"));
    } finally {
      setTransient("millrace.write.profiles.enabled", null);
    }
  }

  /** The template that the REST action gives is one that a node with log_text takes. */
  public void testTemplateOfLogsIsTaken() throws Exception {
    var builder = org.opensearch.common.xcontent.XContentFactory.jsonBuilder();
    Profiles profiles = new Profiles();
    profiles.add(ProfileEntry.of(Profile.LOGS, "index.codec", "zstandard", "small"));
    profiles.add(LeftOut.ofWritten("index.store.preload", "large"));
    RestProfileTemplatesAction.template(builder, Profile.LOGS, profiles);
    String json = builder.toString();
    var parser = createParser(org.opensearch.common.xcontent.json.JsonXContent.jsonXContent, json);
    ComposableIndexTemplate template = ComposableIndexTemplate.parse(parser);
    assertEquals(
        Map.of(
            "settings",
            Map.of("index.codec", Map.of("value", "zstandard", "reason", "small")),
            "left_out",
            Map.of("index.store.preload", "large")),
        template.metadata());
    client()
        .execute(
            PutComposableIndexTemplateAction.INSTANCE,
            new PutComposableIndexTemplateAction.Request("logs").indexTemplate(template))
        .actionGet();
    client()
        .prepareIndex("logs-1")
        .setSource("message", "nova.wsgi up", "host", "h1")
        .setRefreshPolicy(WriteRequest.RefreshPolicy.IMMEDIATE)
        .get();
    assertEquals(
        1,
        client()
            .prepareSearch("logs-1")
            .setQuery(matchQuery("message", "wsgi"))
            .get()
            .getHits()
            .getTotalHits()
            .value());
  }

  /** With the slow interval out of reach, a searched shard shows a write; an idle one is left. */
  public void testSearchedShardShowsWritesWithinFreshness() throws Exception {
    create(
        "logs",
        profile("logs").put("index.refresh_interval", "1h").put("index.millrace.freshness", "1s"));
    ensureGreen("logs");
    client().prepareIndex("logs").setSource("a", 1).get();
    assertBusy(
        () ->
            assertEquals(
                1,
                client()
                    .prepareSearch("logs")
                    .setQuery(matchAllQuery())
                    .get()
                    .getHits()
                    .getTotalHits()
                    .value()),
        120,
        TimeUnit.SECONDS);
    Host host =
        (Host) getInstanceFromNode(PluginsService.class).filterPlugins(FeaturePlugin.class).get(0);
    Feature feature = host.profiles;
    assertTrue(value(feature, "refreshes") > 0);
    assertEquals(1, value(feature, "watched_shards"), 0);
  }

  public void testIdleShardIsLeftToStock() {
    create(
        "idle",
        profile("logs")
            .put("index.refresh_interval", "1h")
            .put("index.search.idle.after", "0s")
            .put("index.millrace.freshness", "1s"));
    ensureGreen("idle");
    client().prepareIndex("idle").setSource("a", 1).get();
    ShardFreshness freshness = new ShardFreshness(Feature.switchFor("write.profiles", true));
    Index index = resolveIndex("idle");
    IndexShard shard = getInstanceFromNode(IndicesService.class).indexService(index).getShard(0);
    freshness.afterIndexShardStarted(shard);
    freshness.lookAtAll(Long.MAX_VALUE / 2, Runnable::run);
    assertEquals(0, freshness.refreshes.sum());
  }

  /**
   * A minute of another clock, a write and a look in each second: while the shard is searched,
   * nothing is hidden for more than the promised five seconds, at one refresh in four seconds (the
   * promise less one look), and the refreshes of others count.
   */
  public void testPromiseIsKeptAtTheLeastRefreshes() {
    setTransient("millrace.write.profiles.enabled", "false"); // the node's own looks stay away
    try {
      create(
          "logs",
          Settings.builder()
              .put("index.refresh_interval", "1h")
              .put("index.search.idle.after", "1h")
              .put("index.millrace.freshness", "5s"));
      ensureGreen("logs");
      ShardFreshness freshness = new ShardFreshness(Feature.switchFor("write.profiles", true));
      IndexShard shard =
          getInstanceFromNode(IndicesService.class).indexService(resolveIndex("logs")).getShard(0);
      freshness.afterIndexShardStarted(shard);
      client().prepareIndex("logs").setId("before").setSource("second", -1).get();
      for (int second = 0; second < 10; second++) {
        freshness.lookAtAll(second * 1000L, Runnable::run);
      }
      assertEquals("nobody has searched yet", 0, freshness.refreshes.sum());
      found();
      for (int second = 10; second < 70; second++) {
        freshness.lookAtAll(second * 1000L, Runnable::run);
        // written up to five seconds ago, that is up to second - 5, must show
        long mustShow = Math.max(0, second - 5 - 10 + 1);
        assertTrue("second " + second + ": " + found(), found() >= mustShow);
        client().prepareIndex("logs").setId("" + second).setSource("second", second).get();
      }
      long own = freshness.refreshes.sum();
      assertTrue("refreshes in 60 s: " + own, own >= 12 && own <= 16);
      for (int second = 70; second < 90; second++) {
        client().prepareIndex("logs").setId("" + second).setSource("second", second).get();
        client().admin().indices().prepareRefresh("logs").get();
        freshness.lookAtAll(second * 1000L, Runnable::run);
      }
      assertTrue("somebody else refreshed", freshness.refreshes.sum() <= own + 1);
    } finally {
      setTransient("millrace.write.profiles.enabled", null);
    }
  }

  private long found() {
    return client()
        .prepareSearch("logs")
        .setQuery(matchAllQuery())
        .get()
        .getHits()
        .getTotalHits()
        .value();
  }

  private void setTransient(String key, String value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            value == null ? Settings.builder().putNull(key) : Settings.builder().put(key, value))
        .get();
  }

  private static double value(Feature feature, String metric) {
    return feature.metrics().stream()
        .filter(m -> m.name().equals(metric))
        .findFirst()
        .orElseThrow()
        .samples()
        .get()
        .get(0)
        .value();
  }

  public void testDefaultsOfAllKnobs() {
    ProfilesFeature feature = new ProfilesFeature();
    assertTrue(feature.enabled().on());
    assertEquals(Profile.NONE, Profile.SETTING.get(Settings.EMPTY));
    assertEquals(TimeValue.MINUS_ONE, Profile.FRESHNESS.get(Settings.EMPTY));
    assertEquals(TimeValue.timeValueSeconds(30), Profile.FRESHNESS.get(profile("traces").build()));
  }
}
