package io.millrace.storage;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.storage.columnarsource.ColumnarSourceFeature;
import io.millrace.storage.packedids.PackedIdsFeature;
import io.millrace.storage.zstandard.ZstandardFeature;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.indices.recovery.RecoveryState;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHits;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/**
 * A retention lease keeps what a copy that is away will ask for, through merges that write columns
 * and packed ids anew: it comes back by operations, which are read from the columns.
 */
@ClusterScope(
    scope = OpenSearchIntegTestCase.Scope.TEST,
    numDataNodes = 2,
    supportsDedicatedMasters = false,
    numClientNodes = 0)
public class RetainedHistoryNodeTests extends OpenSearchIntegTestCase {

  /** What a profile of logs stores with. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new ZstandardFeature(), new ColumnarSourceFeature(), new PackedIdsFeature()));
    }
  }

  private final Map<String, String> expected = new TreeMap<>();
  private String primary = "";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(Host.class);
    return plugins;
  }

  @Override
  protected boolean addMockInternalEngine() {
    return false; // OpenSearch takes one engine for an index
  }

  private static String source(int n, String level) {
    return String.format(
        Locale.ROOT,
        "{ \"n\":%d,\"level\":\"%s\",\"trace_id\":\"%032x\",\"message\":\"took %d.50 ms\" }",
        n,
        level,
        n * 0x9e3779b97f4a7c15L,
        n % 90);
  }

  private void write(int from, int to, String level) {
    BulkRequestBuilder bulk = client(primary).prepareBulk();
    for (int n = from; n < to; n++) {
      String id = "id" + n;
      bulk.add(
          client(primary)
              .prepareIndex("logs")
              .setId(id)
              .setSource(source(n, level), XContentType.JSON));
      expected.put(id, source(n, level));
    }
    assertFalse(bulk.get().hasFailures());
  }

  private void delete(int from, int to) {
    for (int n = from; n < to; n++) {
      client(primary).prepareDelete("logs", "id" + n).get();
      expected.remove("id" + n);
    }
  }

  private String nodeOf(ShardRouting copy) {
    return clusterService().state().nodes().get(copy.currentNodeId()).getName();
  }

  public void testACopyThatWasAwayIsBroughtBackByOperations() throws Exception {
    copyThatWasAway(
        "{\"properties\":{\"trace_id\":{\"type\":\"keyword\"},\"message\":{\"type\":\"text\"},"
            + "\"n\":{\"type\":\"integer\"}}}");
    for (String node : internalCluster().nodesInclude("logs")) {
      Map<String, String> found = new TreeMap<>();
      hits(node).forEach(hit -> found.put(hit.getId(), hit.getSourceAsString()));
      assertEquals(node, expected, found);
    }
  }

  /**
   * OpenSearch keeps such documents whole beside {@code _source}: what a copy is sent has the field
   * that {@code _source} lacks, in its terms and its doc values.
   */
  public void testWhatSourceLeavesOutComesBackToo() throws Exception {
    copyThatWasAway(
        "{\"_source\":{\"excludes\":[\"trace_id\",\"n\"]},\"properties\":{"
            + "\"trace_id\":{\"type\":\"keyword\"},\"message\":{\"type\":\"text\"},"
            + "\"n\":{\"type\":\"integer\"}}}");
    for (String node : internalCluster().nodesInclude("logs")) {
      Map<String, String> found = new TreeMap<>();
      hits(node)
          .forEach(hit -> {
            Map<String, Object> source = hit.getSourceAsMap();
            assertEquals(Set.of("level", "message"), source.keySet());
            long n = hit.field("n").<Number>getValue().longValue();
            assertEquals("id" + n, hit.getId());
            assertEquals(
                source((int) n, (String) source.get("level")),
                String.format(
                    Locale.ROOT,
                    "{ \"n\":%d,\"level\":\"%s\",\"trace_id\":\"%s\",\"message\":\"%s\" }",
                    n,
                    source.get("level"),
                    hit.field("trace_id").getValue(),
                    source.get("message")));
            found.put(hit.getId(), source((int) n, (String) source.get("level")));
          });
      assertEquals(node, expected, found);
    }
  }

  private SearchHits hits(String node) {
    return client()
        .prepareSearch("logs")
        .setPreference("_only_nodes:" + internalCluster().clusterService(node).localNode().getId())
        .setSize(1_000)
        .addDocValueField("n")
        .addDocValueField("trace_id")
        .get()
        .getHits();
  }

  private void copyThatWasAway(String mapping) throws Exception {
    assertAcked(
        prepareCreate("logs")
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", 1)
                    .put("index.number_of_replicas", 1)
                    .put("index.refresh_interval", "-1")
                    .put("index.codec", "zstandard") // the test framework draws one
                    .put("index.millrace.columnar_source.enabled", true)
                    .put("index.millrace.packed_ids.enabled", true))
            .setMapping(mapping));
    ensureGreen("logs");
    var shard = clusterService().state().routingTable().index("logs").shard(0);
    primary = nodeOf(shard.primaryShard());
    String away = nodeOf(shard.replicaShards().get(0));
    write(0, 300, "INFO");
    flush("logs");
    internalCluster()
        .restartNode(
            away,
            new InternalTestCluster.RestartCallback() {
              @Override
              public Settings onNodeStopped(String node) {
                write(0, 50, "WARN");
                delete(50, 80);
                client(primary).admin().indices().prepareFlush("logs").setForce(true).get();
                write(300, 400, "INFO");
                write(20, 40, "ERROR");
                for (int merge = 0; merge < 2; merge++) {
                  client(primary)
                      .admin()
                      .indices()
                      .prepareForceMerge("logs")
                      .setMaxNumSegments(1)
                      .setFlush(true)
                      .get();
                  write(400 + merge, 401 + merge, "INFO");
                }
                return Settings.EMPTY;
              }
            });
    ensureGreen("logs");
    List<RecoveryState> recoveries =
        client()
            .admin()
            .indices()
            .prepareRecoveries("logs")
            .get()
            .shardRecoveryStates()
            .get("logs");
    RecoveryState ofReplica =
        recoveries.stream().filter(state -> !state.getPrimary()).findFirst().orElseThrow();
    assertEquals("no file was copied", 0, ofReplica.getIndex().totalFileCount());
    // each counts, also one that a later one took the place of; those of before may be among them
    int recovered = ofReplica.getTranslog().recoveredOperations();
    assertTrue("operations: " + recovered, recovered >= 50 + 30 + 100 + 20 + 2);

    refresh("logs");
  }
}
