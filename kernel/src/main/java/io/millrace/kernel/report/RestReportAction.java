package io.millrace.kernel.report;

import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * What every GET of the product's own API is made of: it is answered also by a node whose heap is
 * full, because that is when somebody asks.
 *
 * <p>Parameters {@code node} (of the path) and {@code timeout} (30s) are those of the nodes APIs.
 */
public abstract class RestReportAction extends BaseRestHandler {

  @Override
  public final boolean canTripCircuitBreaker() {
    return false;
  }

  /** Writes an answer as the request wants it: JSON, YAML, ... */
  @FunctionalInterface
  public interface Rendering {
    /** Writes the fields of the answer's object. */
    void render(NodeReports reports, XContentBuilder builder) throws Exception;
  }

  /** Asks the nodes that the request names, and renders what they say. */
  protected static RestChannelConsumer ask(
      String subject, RestRequest request, NodeClient client, Rendering rendering) {
    return ask(request(subject, request), client, rendering);
  }

  /** Asks a question of the node's own, and renders what the nodes say. */
  protected static RestChannelConsumer ask(
      NodeReportRequest question, NodeClient client, Rendering rendering) {
    return channel ->
        client.execute(
            NodeReportAction.INSTANCE,
            question,
            new RestBuilderListener<NodeReports>(channel) {
              @Override
              public RestResponse buildResponse(NodeReports reports, XContentBuilder builder)
                  throws Exception {
                builder.startObject();
                rendering.render(reports, builder);
                return new BytesRestResponse(RestStatus.OK, builder.endObject());
              }
            });
  }

  /** The question that a request of the API asks. */
  public static NodeReportRequest request(String subject, RestRequest request) {
    NodeReportRequest nodes =
        new NodeReportRequest(subject, request.paramAsStringArray("node", new String[0]));
    nodes.timeout(request.param("timeout"));
    return nodes;
  }
}
