package io.millrace.observe.nodes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.cluster.ClusterName;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.transport.ActionNotFoundTransportException;

/** The reports of the nodes that answered. */
public final class NodeReports extends BaseNodesResponse<NodeReport> {

  NodeReports(ClusterName cluster, List<NodeReport> nodes, List<FailedNodeException> failures) {
    super(cluster, nodes, failures);
  }

  /** Reads what {@link #writeTo} wrote. */
  public NodeReports(StreamInput in) throws IOException {
    super(in);
  }

  @Override
  protected List<NodeReport> readNodesFrom(StreamInput in) throws IOException {
    return in.readList(NodeReport::new);
  }

  @Override
  protected void writeNodesTo(StreamOutput out, List<NodeReport> nodes) throws IOException {
    out.writeList(nodes);
  }

  /**
   * Names the nodes that are missing, and why: a node without the plugin does not know the action.
   */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (FailedNodeException failure : failures()) {
      boolean stock =
          ExceptionsHelper.unwrap(failure, ActionNotFoundTransportException.class) != null;
      warnings.add(
          stock
              ? "node ["
                  + failure.nodeId()
                  + "] does not know this report: install the same version of plugin [millrace]"
                  + " there and restart the node"
              : "node [" + failure.nodeId() + "] did not answer: " + failure.getDetailedMessage());
    }
    return warnings;
  }
}
