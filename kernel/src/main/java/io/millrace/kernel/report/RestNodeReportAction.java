package io.millrace.kernel.report;

import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.action.RestActions;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_millrace/<subject>[/{node}]}: the report of every node, side by side. Nodes that did
 * not answer stand in {@code warnings}.
 */
public final class RestNodeReportAction extends RestReportAction {
  private final String subject;

  /**
   * @param subject the last step of the path
   */
  public RestNodeReportAction(String subject) {
    this.subject = subject;
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

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    return ask(
        subject,
        request,
        client,
        (reports, builder) -> {
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
          builder.endObject();
        });
  }
}
