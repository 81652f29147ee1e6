package io.millrace.storage.merge;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertHitCount;

import io.millrace.kernel.FeaturePlugin;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
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
    ColdMerges cold = coldMerges(() -> 1000, () -> cpu[0], Runnable::run);
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

  private static ColdMerges coldMerges(LongSupplier after, IntSupplier cpu, Executor executor) {
    Settings free =
        Settings.builder().put("cluster.routing.allocation.disk.threshold_enabled", false).build();
    return new ColdMerges(
        new ColdMerges.Limits(after, () -> 50, cpu),
        new DiskThresholdSettings(
            free, new ClusterSettings(free, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS)),
        executor);
  }

  private IndexShard threeSegments(String name) {
    IndexShard shard = create(name, "stock");
    for (int i = 0; i < 3; i++) {
      write(name, "2026-11-21T10:00:0" + i + "Z");
    }
    client().admin().indices().prepareFlush(name).setForce(true).get();
    return shard;
  }

  /** A merge waits behind a user's force merge; in that time its index is deleted. */
  public void testAMergeOfADeletedIndexDoesNotStopTheOthers() {
    Deque<Runnable> queue = new ArrayDeque<>();
    ColdMerges cold = coldMerges(() -> 1000, () -> 0, queue::add);
    IndexShard gone = threeSegments("gone");
    cold.afterIndexShardStarted(gone);
    cold.look(0);
    cold.look(2000);
    assertEquals(1, queue.size());
    client().admin().indices().prepareDelete("gone").get();
    IndexShard other = threeSegments("other");
    cold.afterIndexShardStarted(other);
    cold.look(3000);
    queue.remove().run();
    assertEquals("nothing failed, there is nothing to merge", 0, cold.failed.sum());
    cold.look(5000);
    queue.remove().run();
    assertEquals(1, cold.merged.sum());
    client().admin().indices().prepareRefresh("other").get();
    assertEquals(1, other.segmentStats(false, false).getCount());
  }

  /** What was true when a merge was queued is asked again when its turn comes. */
  public void testAQueuedMergeIsNotDoneWhenItIsNotWantedAnyMore() {
    Deque<Runnable> queue = new ArrayDeque<>();
    long[] after = {1000};
    int[] cpu = {0};
    ColdMerges cold = coldMerges(() -> after[0], () -> cpu[0], queue::add);
    IndexShard shard = threeSegments("cold");
    cold.afterIndexShardStarted(shard);
    cold.look(0);
    cold.look(2000);
    after[0] = -1;
    queue.remove().run();
    assertEquals("switched off", 1, cold.postponed.sum());
    after[0] = 1000;
    cold.look(3000);
    cpu[0] = 90;
    queue.remove().run();
    assertEquals("a busy node", 2, cold.postponed.sum());
    cpu[0] = 0;
    cold.look(4000);
    write("cold", "2026-11-22T10:00:00Z");
    queue.remove().run();
    assertEquals("written again", 3, cold.postponed.sum());
    assertEquals(0, cold.merged.sum());
    cold.look(5000);
    cold.look(6500);
    queue.remove().run();
    assertEquals(1, cold.merged.sum());
    client().admin().indices().prepareRefresh("cold").get();
    assertEquals(1, shard.segmentStats(false, false).getCount());
  }

  public void testUnknownPolicyIsRefused() {
    IllegalArgumentException e =
        expectThrows(IllegalArgumentException.class, () -> create("bad", "fast"));
    assertTrue(e.getMessage(), e.getMessage().contains("use one of [stock, time_tiered]"));
  }
}
