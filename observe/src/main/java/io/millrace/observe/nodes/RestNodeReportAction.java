package io.millrace.observe.nodes;

import java.util.List;
import org.opensearch.action.ActionType;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestActions;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_millrace/<subject>[/{node}]}: the report of every node, side by side.
 *
 * <p>Parameter {@code timeout} (default 30s). Nodes that did not answer stand in {@code warnings}.
 */
public final class RestNodeReportAction extends BaseRestHandler {
  private final String subject;
  private final ActionType<NodeReports> action;

  /**
   * @param subject the last step of the path
   */
  public RestNodeReportAction(String subject, ActionType<NodeReports> action) {
    this.subject = subject;
    this.action = action;
  }

  @Override
  public String getName() {
    return "millrace_" + subject + "_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(Method.GET, "/_millrace/" + subject),
        new Route(Method.GET, "/_millrace/" + subject + "/{node}"));
  }

  /** A node whose heap is full answers this as well, because that is when somebody asks. */
  @Override
  public boolean canTripCircuitBreaker() {
    return false;
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    NodeReportRequest nodes =
        new NodeReportRequest(request.paramAsStringArray("node", new String[0]));
    nodes.timeout(request.param("timeout"));
    return channel ->
        client.execute(
            action,
            nodes,
            new RestBuilderListener<NodeReports>(channel) {
              @Override
              public RestResponse buildResponse(NodeReports reports, XContentBuilder builder)
                  throws Exception {
                builder.startObject();
                RestActions.buildNodesHeader(builder, request, reports);
                builder.field("cluster_name", reports.getClusterName().value());
                builder.field("warnings", reports.warnings());
                builder.startObject("nodes");
                for (NodeReport node : reports.getNodes()) {
                  builder.startObject(node.getNode().getId());
                  builder.field("name", node.getNode().getName());
                  builder.mapContents(node.report());
                  builder.endObject();
                }
                return new BytesRestResponse(RestStatus.OK, builder.endObject().endObject());
              }
            });
  }
}
