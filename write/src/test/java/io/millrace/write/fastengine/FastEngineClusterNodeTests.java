package io.millrace.write.fastengine;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.transport.client.Client;

/** Document replicas and peer recovery take the fast path; segment replication stays stock's. */
@ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false, numClientNodes = 0)
public class FastEngineClusterNodeTests extends OpenSearchIntegTestCase {
  private static final List<RandomMapping.Leaf> LEAVES =
      List.of(
          new RandomMapping.Leaf(List.of("level"), "keyword"),
          new RandomMapping.Leaf(List.of("message"), "text"),
          new RandomMapping.Leaf(List.of("took"), "long"));
  private static final String MAPPING =
      "{\"properties\":{\"level\":{\"type\":\"keyword\"},\"message\":{\"type\":\"text\"},"
          + "\"took\":{\"type\":\"long\"}}}";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(FastEngineHost.class);
    return plugins;
  }

  @Override
  protected boolean addMockInternalEngine() {
    // brings an engine of its own, and OpenSearch takes one per index
    return false;
  }

  private long taken() {
    long taken = 0;
    for (PluginsService plugins : internalCluster().getDataNodeInstances(PluginsService.class)) {
      taken += plugins.filterPlugins(FastEngineHost.class).get(0).feature().counters().documents();
    }
    return taken;
  }

  private void index(String index, int first, int count) {
    index(client(), index, first, count);
  }

  private static void index(Client client, String index, int first, int count) {
    RandomDocuments documents = new RandomDocuments(new Random(first), LEAVES, 97);
    BulkRequestBuilder bulk = client.prepareBulk();
    for (int i = 0; i < count; i++) {
      bulk.add(
          client
              .prepareIndex(index)
              .setId("id" + (first + i))
              .setSource(new BytesArray(documents.next()), XContentType.JSON));
    }
    bulk.get();
  }

  private List<String> content(String index, String node) {
    List<String> hits = new ArrayList<>();
    client()
        .prepareSearch(index)
        .setPreference("_only_nodes:" + node)
        .setSize(1000)
        .addDocValueField("level")
        .addDocValueField("took")
        .setQuery(QueryBuilders.matchAllQuery())
        .addSort("_seq_no", SortOrder.ASC)
        .get()
        .getHits()
        .forEach(hit -> hits.add(hit.getId() + hit.getSourceAsString() + hit.getFields()));
    client()
        .prepareSearch(index)
        .setPreference("_only_nodes:" + node)
        .setSize(1000)
        .setQuery(QueryBuilders.matchQuery("message", "took"))
        .addSort("_seq_no", SortOrder.ASC)
        .get()
        .getHits()
        .forEach(hit -> hits.add(hit.getId()));
    return hits;
  }

  private void assertCopiesEqual(String index) {
    refresh(index);
    List<String> nodes = new ArrayList<>(internalCluster().nodesInclude(index));
    assertEquals(2, nodes.size());
    List<String> ids = new ArrayList<>();
    for (String node : nodes) {
      ids.add(internalCluster().clusterService(node).localNode().getId());
    }
    List<String> first = content(index, ids.get(0));
    assertFalse(first.isEmpty());
    assertEquals(first, content(index, ids.get(1)));
  }

  private static Settings.Builder one(int replicas) {
    return Settings.builder()
        .put("index.number_of_shards", 1)
        .put("index.number_of_replicas", replicas)
        .put("index.refresh_interval", "-1");
  }

  public void testReplicasAndPeerRecovery() {
    assertAcked(prepareCreate("logs").setSettings(one(1)).setMapping(MAPPING));
    ensureGreen("logs");
    long before = taken();
    index("logs", 0, 1);
    index("logs", 1, 200);
    long onBoth = taken() - before;
    assertTrue("both copies take the fast path", onBoth > 150 && onBoth % 2 == 0);
    assertCopiesEqual("logs");

    setReplicas("logs", 0);
    ensureGreen("logs");
    index("logs", 300, 100);
    setReplicas("logs", 1);
    // operations while the copy recovers reach it through its translog phase
    index("logs", 400, 100);
    ensureGreen("logs");
    assertCopiesEqual("logs");
  }

  public void testACopyThatWasAwayGetsWhatTheFilterLeftOut() throws Exception {
    assertAcked(
        prepareCreate("filtered")
            .setSettings(one(1))
            .setMapping(
                MAPPING.replaceFirst("\\{", "{\"_source\":{\"excludes\":[\"message\",\"to*\"]},")));
    ensureGreen("filtered");
    index("filtered", 0, 100);
    flush("filtered");
    var shard = clusterService().state().routingTable().index("filtered").shard(0);
    Client primary = client(nodeOf(shard.primaryShard()));
    internalCluster()
        .restartNode(
            nodeOf(shard.replicaShards().get(0)),
            new InternalTestCluster.RestartCallback() {
              @Override
              public Settings onNodeStopped(String node) {
                index(primary, "filtered", 100, 100);
                return Settings.EMPTY;
              }
            });
    ensureGreen("filtered");
    assertCopiesEqual("filtered");
    refresh("filtered");
    for (String node : internalCluster().nodesInclude("filtered")) {
      // indexed from the source that the other copy kept for recoveries
      assertTrue(
          client()
                  .prepareSearch("filtered")
                  .setPreference(
                      "_only_nodes:" + internalCluster().clusterService(node).localNode().getId())
                  .setQuery(QueryBuilders.matchQuery("message", "took"))
                  .get()
                  .getHits()
                  .getHits()
                  .length
              > 0);
    }
  }

  private String nodeOf(ShardRouting copy) {
    return clusterService().state().nodes().get(copy.currentNodeId()).getName();
  }

  public void testSegmentReplicationKeepsItsReplicaEngine() throws Exception {
    assertAcked(
        prepareCreate("segments")
            .setSettings(one(1).put("index.replication.type", "SEGMENT"))
            .setMapping(MAPPING));
    ensureGreen("segments");
    long before = taken();
    index("segments", 0, 200);
    long onPrimary = taken() - before;
    assertTrue("only the primary parses: " + onPrimary, onPrimary > 80 && onPrimary <= 200);
    refresh("segments");
    assertBusy(() -> assertCopiesEqual("segments"), 120, TimeUnit.SECONDS);
  }

  private void setReplicas(String index, int replicas) {
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareUpdateSettings(index)
            .setSettings(Settings.builder().put("index.number_of_replicas", replicas)));
  }
}
