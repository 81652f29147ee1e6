package io.millrace.write.primarykeyfilter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** The answers of stock through failing primaries, recovering copies and restarts. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 0,
    supportsDedicatedMasters = false,
    numClientNodes = 0)
public class PrimaryKeyFilterClusterNodeTests extends OpenSearchIntegTestCase {

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(PrimaryKeyFilterHost.class);
    return plugins;
  }

  @Override
  protected boolean addMockInternalEngine() {
    // brings an engine of its own, and OpenSearch takes one per index
    return false;
  }

  @Override
  protected Settings nodeSettings(int ordinal) {
    // the primaries stay where they are until their node goes
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        .put("cluster.routing.rebalance.enable", "none")
        .build();
  }

  private List<PrimaryKeyFilterFeature> features() {
    List<PrimaryKeyFilterFeature> features = new ArrayList<>();
    for (PluginsService plugins : internalCluster().getDataNodeInstances(PluginsService.class)) {
      features.add(plugins.filterPlugins(PrimaryKeyFilterHost.class).get(0).feature());
    }
    return features;
  }

  private long appended() {
    return features().stream().mapToLong(feature -> feature.counters().appended()).sum();
  }

  private void awaitComplete() throws Exception {
    assertBusy(
        () ->
            assertTrue(
                features().stream()
                    .flatMap(feature -> feature.shards().stream())
                    .anyMatch(ShardIds::complete)),
        120,
        TimeUnit.SECONDS);
  }

  private void own(String id) {
    for (String index : TwinIndices.NAMES) {
      client().prepareIndex(index).setId(id).setSource("n", 1).get();
    }
  }

  private String nodeOfPrimary(String index) {
    IndexShardRoutingTable shard = clusterService().state().routingTable().index(index).shard(0);
    return clusterService().state().nodes().get(shard.primaryShard().currentNodeId()).getName();
  }

  private void someBulks(TwinIndices twins, Random random, int bulks) {
    for (int i = 0; i < bulks; i++) {
      twins.bulk(client());
      switch (random.nextInt(10)) {
        case 0 -> twins.refresh(client());
        case 1 -> twins.flush(client());
        case 2, 3 -> twins.get(client());
        default -> {}
      }
    }
  }

  /** Both indices have their primary on the same node; it goes, and the replicas take over. */
  public void testPromotedReplicasKnowEveryId() throws Exception {
    internalCluster().startClusterManagerOnlyNode();
    String first = internalCluster().startDataOnlyNode();
    TwinIndices.create(client(), 0, "-1ms");
    ensureGreen(TwinIndices.NAMES.toArray(String[]::new));
    long seed = randomLong();
    logger.info("seed of the operations: {}", seed);
    TwinIndices twins = new TwinIndices(seed, 40);
    Random random = new Random(seed);
    own("first");
    awaitComplete();
    someBulks(twins, random, 25);

    String second = internalCluster().startDataOnlyNode();
    client()
        .admin()
        .indices()
        .prepareUpdateSettings("stock", "filtered")
        .setSettings(Settings.builder().put("index.number_of_replicas", 1))
        .get();
    // operations while the copies recover
    someBulks(twins, random, 25);
    ensureGreen(TwinIndices.NAMES.toArray(String[]::new));
    someBulks(twins, random, 25);

    assertEquals(first, nodeOfPrimary("filtered"));
    internalCluster().stopRandomNode(InternalTestCluster.nameFilter(first));
    ensureYellow(TwinIndices.NAMES.toArray(String[]::new));
    assertEquals(second, nodeOfPrimary("filtered"));
    own("after the promotion");
    awaitComplete();
    long before = appended();
    someBulks(twins, random, 40);
    assertTrue("the promoted copy uses its filter", appended() > before);
    twins.refresh(client());
    twins.compare(client(), "_primary");

    internalCluster().startDataOnlyNode();
    ensureGreen(TwinIndices.NAMES.toArray(String[]::new));
    someBulks(twins, random, 10);
    twins.refresh(client());
    twins.compare(client(), "_primary");
    twins.compare(client(), "_replica");
  }

  public void testARestartedShardReadsItsIds() throws Exception {
    internalCluster().startNode();
    TwinIndices.create(client(), 0, "-1ms");
    ensureGreen(TwinIndices.NAMES.toArray(String[]::new));
    long seed = randomLong();
    logger.info("seed of the operations: {}", seed);
    TwinIndices twins = new TwinIndices(seed, 40);
    Random random = new Random(seed);
    for (int round = 0; round < 3; round++) {
      own("round " + round);
      awaitComplete();
      long before = appended();
      someBulks(twins, random, 25);
      assertTrue("the filter is used after a restart", appended() > before);
      internalCluster().fullRestart();
      ensureGreen(TwinIndices.NAMES.toArray(String[]::new));
    }
    someBulks(twins, random, 20);
    twins.refresh(client());
    twins.compare(client(), "_primary");
  }

  /** With segment replication the promoted copy opens a new engine over the copied segments. */
  public void testPromotedSegmentCopiesKnowEveryId() throws Exception {
    internalCluster().startClusterManagerOnlyNode();
    String first = internalCluster().startDataOnlyNode();
    String second = internalCluster().startDataOnlyNode();
    client()
        .admin()
        .indices()
        .prepareCreate("segments")
        .setSettings(
            Settings.builder()
                .put("index.number_of_shards", 1)
                .put("index.number_of_replicas", 1)
                .put("index.replication.type", "SEGMENT")
                .put("index.gc_deletes", "-1ms")
                .put("index.routing.allocation.include._name", first + "," + second))
        .get();
    ensureGreen("segments");
    client().prepareIndex("segments").setId("first").setSource("n", 1).get();
    awaitComplete();
    for (int i = 0; i < 200; i++) {
      client().prepareIndex("segments").setId("id" + i % 150).setSource("n", i).get();
    }
    internalCluster().stopRandomNode(InternalTestCluster.nameFilter(nodeOfPrimary("segments")));
    ensureYellow("segments");
    client().prepareIndex("segments").setId("first").setSource("n", 2).get();
    awaitComplete();
    for (int i = 0; i < 300; i++) {
      long version =
          client().prepareIndex("segments").setId("id" + i).setSource("n", i).get().getVersion();
      assertEquals("id" + i, i < 50 ? 3 : i < 150 ? 2 : 1, version);
    }
    refresh("segments");
    assertEquals(
        301,
        client()
            .prepareSearch("segments")
            .setPreference("_primary")
            .setSize(0)
            .setTrackTotalHits(true)
            .get()
            .getHits()
            .getTotalHits()
            .value());
  }
}
