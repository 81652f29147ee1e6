package io.millrace.observe.nodes;

import java.io.IOException;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.core.common.io.stream.StreamInput;

/** Which nodes to ask. */
public final class NodeReportRequest extends BaseNodesRequest<NodeReportRequest> {
  /**
   * @param nodes ids, names or filters as in the nodes APIs; none means all
   */
  public NodeReportRequest(String... nodes) {
    super(nodes);
  }

  NodeReportRequest(StreamInput in) throws IOException {
    super(in);
  }
}
