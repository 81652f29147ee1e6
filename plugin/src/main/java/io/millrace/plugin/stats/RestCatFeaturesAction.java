package io.millrace.plugin.stats;

import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportRequest;
import io.millrace.kernel.report.NodeReports;
import io.millrace.kernel.report.RestReportAction;
import java.util.List;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.Table;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.rest.action.cat.AbstractCatAction;
import org.opensearch.rest.action.cat.RestTable;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_cat/millrace}: a row per node and feature; a node without the plugin has one row.
 */
public final class RestCatFeaturesAction extends AbstractCatAction {
  private final Build build = Build.current();

  @Override
  public String getName() {
    return "cat_millrace_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(Method.GET, "/_cat/millrace"));
  }

  /** A node whose heap is full answers this as well, because that is when somebody asks. */
  @Override
  public boolean canTripCircuitBreaker() {
    return false;
  }

  @Override
  protected void documentation(StringBuilder sb) {
    sb.append("/_cat/millrace\n");
  }

  @Override
  protected RestChannelConsumer doCatRequest(RestRequest request, NodeClient client) {
    NodeReportRequest features = RestReportAction.request(LocalFeatures.FEATURES, request);
    return channel ->
        client.execute(
            NodeReportAction.INSTANCE,
            features,
            new RestResponseListener<NodeReports>(channel) {
              @Override
              public RestResponse buildResponse(NodeReports reports) throws Exception {
                return RestTable.buildResponse(
                    table(request, ClusterFeatures.of(reports)), channel);
              }
            });
  }

  @Override
  protected Table getTableWithHeader(RestRequest request) {
    Table table = new Table().startHeaders();
    table.addCell("id", "alias:nodeId;default:false;desc:id of the node");
    table.addCell("node", "alias:n,name;desc:name of the node");
    table.addCell("version", "alias:v;desc:version of the plugin there");
    table.addCell("feature", "alias:f;desc:id of the feature");
    table.addCell("on", "desc:whether the feature is on there");
    table.addCell("summary", "alias:s;default:false;desc:what the feature does");
    table.addCell("reason", "alias:r;default:false;desc:why a node has no features");
    return table.endHeaders();
  }

  private Table table(RestRequest request, ClusterFeatures cluster) {
    Table table = getTableWithHeader(request);
    for (NodeFeatures node : cluster.nodes()) {
      for (FeatureReport feature : node.features()) {
        table.startRow();
        table.addCell(node.node().getId());
        table.addCell(node.node().getName());
        table.addCell(node.version());
        table.addCell(feature.id());
        table.addCell(feature.on());
        table.addCell(feature.summary());
        table.addCell(null);
        table.endRow();
      }
    }
    for (DiscoveryNode node : cluster.absent()) {
      table.startRow();
      table.addCell(node.getId());
      table.addCell(node.getName());
      table.addCell("missing");
      table.addCell(null);
      table.addCell(null);
      table.addCell(null);
      table.addCell(ClusterFeatures.absence(node, build));
      table.endRow();
    }
    return table;
  }
}
