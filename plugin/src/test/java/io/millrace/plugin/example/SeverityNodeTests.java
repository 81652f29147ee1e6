package io.millrace.plugin.example;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import java.util.Collection;
import java.util.List;
import org.opensearch.action.admin.cluster.allocation.ClusterAllocationExplainRequest;
import org.opensearch.action.ingest.PutPipelineRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.routing.allocation.AllocateUnassignedDecision;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Each hook of the example does its work on a node. */
public class SeverityNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the domain. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(ExampleDomain.features());
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private long counted() {
    return ((Number)
            client()
                .execute(NodeReportAction.INSTANCE, new NodeReportRequest("severity"))
                .actionGet()
                .getNodes()
                .getFirst()
                .report()
                .get("documents"))
        .longValue();
  }

  public void testQueryProcessorProfileLayerAndReport() {
    client()
        .admin()
        .cluster()
        .putPipeline(
            new PutPipelineRequest(
                "alike",
                new BytesArray("{\"processors\":[{\"severity\":{\"field\":\"level\"}}]}"),
                XContentType.JSON))
        .actionGet();
    client()
        .admin()
        .indices()
        .prepareCreate("logs")
        .setSettings(
            Settings.builder()
                .put("index.millrace.profile", "logs")
                .put("index.codec", "zstandard")
                .put("index.default_pipeline", "alike"))
        .setMapping("level", "type=keyword")
        .get();
    assertEquals(
        "level",
        client()
            .admin()
            .indices()
            .prepareGetSettings("logs")
            .get()
            .getSetting("logs", SeverityFeature.FIELD.getKey()));
    long before = counted();
    for (String level : List.of("info", "error", "Fatal")) {
      client().prepareIndex("logs").setSource("level", level).get();
    }
    client()
        .prepareIndex("logs")
        .setSource("message", "no level")
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    assertEquals(before + 4, counted());
    String severe = "{\"severe\":{}}";
    assertEquals(
        2,
        client()
            .prepareSearch("logs")
            .setQuery(QueryBuilders.wrapperQuery(severe))
            .get()
            .getHits()
            .getTotalHits()
            .value());
  }

  public void testDeciderKeepsShardsOffTheNode() {
    client()
        .admin()
        .indices()
        .prepareCreate("kept")
        .setSettings(
            Settings.builder()
                .put(SeverityDecider.KEPT_OFF.getKey(), node().settings().get("node.name")))
        .setWaitForActiveShards(0)
        .get();
    AllocateUnassignedDecision decision =
        client()
            .admin()
            .cluster()
            .allocationExplain(
                new ClusterAllocationExplainRequest().setIndex("kept").setShard(0).setPrimary(true))
            .actionGet()
            .getExplanation()
            .getShardAllocationDecision()
            .getAllocateDecision();
    assertTrue(
        decision.getNodeDecisions().getFirst().getCanAllocateDecision().toString(),
        decision
            .getNodeDecisions()
            .getFirst()
            .getCanAllocateDecision()
            .toString()
            .contains("[index.millrace.severity.kept_off] names this node"));
  }
}
