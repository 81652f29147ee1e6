package io.millrace.observe.nodes;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;

/** Asks nodes for one report; a subclass names the action and brings the report's source. */
public abstract class TransportNodeReportAction
    extends TransportNodesAction<
        NodeReportRequest, NodeReports, TransportNodeReportAction.NodeRequest, NodeReport> {
  private final NodeReportSource source;

  /**
   * @param name the action's name, {@code cluster:monitor/millrace/...}
   * @param source what this node says
   */
  protected TransportNodeReportAction(
      String name,
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters filters,
      NodeReportSource source) {
    super(
        name,
        threadPool,
        clusterService,
        transportService,
        filters,
        NodeReportRequest::new,
        NodeRequest::new,
        ThreadPool.Names.MANAGEMENT,
        NodeReport.class);
    this.source = source;
  }

  @Override
  protected NodeReports newResponse(
      NodeReportRequest request, List<NodeReport> reports, List<FailedNodeException> failures) {
    return new NodeReports(clusterService.getClusterName(), reports, failures);
  }

  @Override
  protected NodeRequest newNodeRequest(NodeReportRequest request) {
    return new NodeRequest();
  }

  @Override
  protected NodeReport newNodeResponse(StreamInput in) throws IOException {
    return new NodeReport(in);
  }

  @Override
  protected NodeReport nodeOperation(NodeRequest request) {
    return new NodeReport(transportService.getLocalNode(), source.report());
  }

  /** Asks for everything there is. */
  public static final class NodeRequest extends TransportRequest {
    NodeRequest() {}

    NodeRequest(StreamInput in) throws IOException {
      super(in);
    }
  }
}
