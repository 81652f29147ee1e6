package io.millrace.kernel.report;

import java.io.IOException;
import java.util.Map;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * One node's report. It travels as names and values, so that a node shows what a newer one says
 * without knowing it.
 */
public final class NodeReport extends BaseNodeResponse {
  private final Map<String, Object> report;

  NodeReport(DiscoveryNode node, Map<String, Object> report) {
    super(node);
    this.report = report;
  }

  NodeReport(StreamInput in) throws IOException {
    super(in);
    report = in.readMap();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeMap(report);
  }

  /** Names and values. */
  public Map<String, Object> report() {
    return report;
  }
}
