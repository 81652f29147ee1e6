package io.millrace.kernel.report;

import java.io.IOException;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Which nodes to ask, and on which subject. */
public final class NodeReportRequest extends BaseNodesRequest<NodeReportRequest> {
  private final String subject;

  /**
   * @param subject the name under which a feature declared the report
   * @param nodes ids, names or filters as in the nodes APIs; none means all
   */
  public NodeReportRequest(String subject, String... nodes) {
    super(nodes);
    this.subject = subject;
  }

  NodeReportRequest(StreamInput in) throws IOException {
    super(in);
    subject = in.readString();
  }

  /** What the nodes are asked about. */
  String subject() {
    return subject;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeString(subject);
  }
}
