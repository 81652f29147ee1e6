package io.millrace.plugin.stats;

import java.io.IOException;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Which nodes to ask, and whether for their figures or only for what is on. */
public final class FeatureStatsRequest extends BaseNodesRequest<FeatureStatsRequest> {
  final boolean withMetrics;

  /**
   * @param withMetrics false asks for features and switches only
   * @param nodes ids, names or filters as in the nodes APIs; none means all
   */
  public FeatureStatsRequest(boolean withMetrics, String... nodes) {
    super(nodes);
    this.withMetrics = withMetrics;
  }

  FeatureStatsRequest(StreamInput in) throws IOException {
    super(in);
    withMetrics = in.readBoolean();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeBoolean(withMetrics);
  }
}
