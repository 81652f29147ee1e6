package io.millrace.write.profiles;

import io.millrace.kernel.Feature;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A freshness that an index is given after it was opened. */
public class FreshnessOfOpenIndexNodeTests extends OpenSearchSingleNodeTestCase {
  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(ProfilesNodeTests.Host.class);
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

  private void set(String index, String key, String value) {
    client()
        .admin()
        .indices()
        .prepareUpdateSettings(index)
        .setSettings(Settings.builder().put(key, value))
        .get();
  }

  /** An open index that was created without one; and {@code refresh_interval: -1} is respected. */
  public void testFreshnessOfAnOpenIndex() throws Exception {
    createIndex(
        "later",
        Settings.builder()
            .put("index.refresh_interval", "1h")
            .put("index.search.idle.after", "1h")
            .build());
    ensureGreen("later");
    setTransient("millrace.write.profiles.enabled", "false"); // the node's own looks stay away
    try {
      ShardFreshness freshness = new ShardFreshness(Feature.switchFor("write.profiles", true));
      IndexShard shard =
          getInstanceFromNode(IndicesService.class).indexService(resolveIndex("later")).getShard(0);
      freshness.afterIndexShardStarted(shard);
      client().prepareSearch("later").get();
      AtomicLong clock = new AtomicLong();
      Runnable writeAndLook =
          () -> {
            client().prepareIndex("later").setSource("a", 1).get();
            freshness.lookAtAll(clock.addAndGet(5_000), Runnable::run);
            freshness.lookAtAll(clock.addAndGet(5_000), Runnable::run);
          };
      writeAndLook.run();
      assertEquals("no freshness", 0, freshness.refreshes.sum());
      set("later", "index.millrace.freshness", "1s");
      writeAndLook.run();
      long before = freshness.refreshes.sum();
      assertTrue("given to the open index", before > 0);
      set("later", "index.refresh_interval", "-1");
      writeAndLook.run();
      assertEquals("switched off", before, freshness.refreshes.sum());
      set("later", "index.refresh_interval", "1h");
      // OpenSearch refreshes by itself when the interval changes
      assertBusy(() -> {
        writeAndLook.run();
        assertTrue(freshness.refreshes.sum() > before);
      });
    } finally {
      setTransient("millrace.write.profiles.enabled", null);
    }
  }
}
