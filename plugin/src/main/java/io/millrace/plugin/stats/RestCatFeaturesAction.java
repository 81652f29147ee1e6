package io.millrace.plugin.stats;

import java.util.List;
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
    FeatureStatsRequest features = new FeatureStatsRequest(false);
    features.timeout(request.param("timeout"));
    return channel ->
        client.execute(
            FeatureStatsAction.INSTANCE,
            features,
            new RestResponseListener<FeatureStatsResponse>(channel) {
              @Override
              public RestResponse buildResponse(FeatureStatsResponse response) throws Exception {
                return RestTable.buildResponse(table(request, response), channel);
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

  private Table table(RestRequest request, FeatureStatsResponse response) {
    Table table = getTableWithHeader(request);
    for (NodeFeatureStats node : response.getNodes()) {
      for (FeatureReport feature : node.features) {
        table.startRow();
        table.addCell(node.getNode().getId());
        table.addCell(node.getNode().getName());
        table.addCell(node.version);
        table.addCell(feature.id());
        table.addCell(feature.on());
        table.addCell(feature.summary());
        table.addCell(null);
        table.endRow();
      }
    }
    for (AbsentNode node : response.absent) {
      table.startRow();
      table.addCell(node.id());
      table.addCell(node.name());
      table.addCell("missing");
      table.addCell(null);
      table.addCell(null);
      table.addCell(null);
      table.addCell(node.message(build));
      table.endRow();
    }
    return table;
  }
}
