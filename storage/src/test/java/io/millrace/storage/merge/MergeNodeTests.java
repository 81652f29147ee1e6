package io.millrace.storage.merge;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertHitCount;

import io.millrace.kernel.FeaturePlugin;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.routing.allocation.DiskThresholdSettings;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.Index;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node: an index with the policy, and the merge of an idle shard. */
public class MergeNodeTests extends OpenSearchSingleNodeTestCase {
  /** The feature without the rest of the product. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new MergeFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private IndexShard create(String name, String policy) {
    Index index =
        createIndexWithSimpleMappings(
                name,
                Settings.builder()
                    .put("index.number_of_shards", 1)
                    .put("index.number_of_replicas", 0)
                    .put("index.millrace.merge.policy", policy)
                    .build(),
                "@timestamp",
                "type=date")
            .index();
    return getInstanceFromNode(IndicesService.class).indexServiceSafe(index).getShard(0);
  }

  private void write(String index, String time) {
    client()
        .prepareIndex(index)
        .setSource("@timestamp", time, "message", "x")
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
  }

  public void testIndexWithThePolicyKeepsDaysApart() throws Exception {
    IndexShard shard = create("logs", "time_tiered");
    for (int i = 0; i < 10; i++) {
      write("logs", "2026-11-21T10:00:0" + i + "Z");
      write("logs", "2020-01-01T10:00:0" + i + "Z");
    }
    assertBusy(
        () -> {
          client().admin().indices().prepareRefresh("logs").get();
          assertTrue(shard.segmentStats(false, false).getCount() < 20);
        },
        120,
        TimeUnit.SECONDS);
    assertHitCount(client().prepareSearch("logs").setSize(0).get(), 20);
    assertEquals(
        0,
        client()
            .admin()
            .indices()
            .prepareForceMerge("logs")
            .setMaxNumSegments(1)
            .get()
            .getFailedShards());
    client().admin().indices().prepareRefresh("logs").get();
    assertHitCount(client().prepareSearch("logs").setSize(0).get(), 20);
  }

  public void testIdleShardIsMergedOnce() {
    IndexShard shard = create("cold", "stock");
    for (int i = 0; i < 3; i++) {
      write("cold", "2026-11-21T10:00:0" + i + "Z");
    }
    client().admin().indices().prepareFlush("cold").setForce(true).get();
    int[] cpu = {90};
    Settings free =
        Settings.builder().put("cluster.routing.allocation.disk.threshold_enabled", false).build();
    ColdMerges cold =
        new ColdMerges(
            new ColdMerges.Limits(() -> 1000, () -> 50, () -> cpu[0]),
            new DiskThresholdSettings(
                free, new ClusterSettings(free, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS)),
            Runnable::run);
    cold.afterIndexShardStarted(shard);
    cold.look(0);
    cold.look(500);
    assertEquals(0, cold.postponed.sum());
    assertEquals(3, shard.segmentStats(false, false).getCount());
    cold.look(1500);
    assertEquals("a busy node", 1, cold.postponed.sum());
    cpu[0] = 10;
    cold.look(1600);
    assertEquals(1, cold.merged.sum());
    client().admin().indices().prepareRefresh("cold").get();
    assertEquals(1, shard.segmentStats(false, false).getCount());
    cold.look(9000);
    assertEquals(1, cold.merged.sum());
    // written again: idle from then on
    write("cold", "2026-11-22T10:00:00Z");
    cold.look(10_000);
    cold.look(10_500);
    assertEquals(1, cold.merged.sum());
    cold.look(11_500);
    assertEquals(2, cold.merged.sum());
    assertHitCount(client().prepareSearch("cold").setSize(0).get(), 4);
    cold.beforeIndexShardClosed(shard.shardId(), shard, Settings.EMPTY);
    assertEquals(0, cold.watched());
  }

  public void testUnknownPolicyIsRefused() {
    IllegalArgumentException e =
        expectThrows(IllegalArgumentException.class, () -> create("bad", "fast"));
    assertTrue(e.getMessage(), e.getMessage().contains("use one of [stock, time_tiered]"));
  }
}
