package io.millrace.kernel.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.ExceptionsHelper;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.transport.ActionNotFoundTransportException;

/** The reports of the nodes that answered, and who has no answer to give. */
public final class NodeReports extends BaseNodesResponse<NodeReport> {
  private final List<DiscoveryNode> absent;

  /**
   * @param failures one for each node that did not answer, the absent ones among them
   * @param absent nodes without the plugin: they do not know the action
   */
  public NodeReports(
      ClusterName cluster,
      List<NodeReport> nodes,
      List<FailedNodeException> failures,
      List<DiscoveryNode> absent) {
    super(cluster, nodes, failures);
    this.absent = List.copyOf(absent);
  }

  /** Reads what {@link #writeTo} wrote. */
  public NodeReports(StreamInput in) throws IOException {
    super(in);
    absent = in.readList(DiscoveryNode::new);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeList(absent);
  }

  @Override
  protected List<NodeReport> readNodesFrom(StreamInput in) throws IOException {
    return in.readList(NodeReport::new);
  }

  @Override
  protected void writeNodesTo(StreamOutput out, List<NodeReport> nodes) throws IOException {
    out.writeList(nodes);
  }

  /** Nodes of the cluster that run without the plugin. */
  public List<DiscoveryNode> absent() {
    return absent;
  }

  /** The failures of nodes that have the plugin. */
  public List<FailedNodeException> failuresOfPresent() {
    List<String> ids = absent.stream().map(DiscoveryNode::getId).toList();
    return failures().stream().filter(failure -> !ids.contains(failure.nodeId())).toList();
  }

  /** Which nodes are missing and why. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (FailedNodeException failure : failures()) {
      warnings.add(
          isAbsent(failure)
                  || ExceptionsHelper.unwrap(failure, ResourceNotFoundException.class) != null
              ? "node ["
                  + failure.nodeId()
                  + "] does not know this report: install the same version of plugin [millrace]"
                  + " there and restart the node"
              : "node [" + failure.nodeId() + "] did not answer: " + failure.getDetailedMessage());
    }
    return warnings;
  }

  /** Whether a node failed because it does not have the plugin. */
  static boolean isAbsent(FailedNodeException failure) {
    return ExceptionsHelper.unwrap(failure, ActionNotFoundTransportException.class) != null;
  }
}
