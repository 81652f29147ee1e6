package io.millrace.plugin.stats;

import java.io.IOException;
import java.util.List;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * One node's answer.
 *
 * <p>Features travel by name with all that is needed to render them, so a node shows another node's
 * feature that it does not know itself. The answer is written in the newest format that both sides
 * know: the request says which one the asking node reads.
 */
final class NodeFeatureStats extends BaseNodeResponse {
  /** The newest format this build reads and writes; raise it with every change of the wire form. */
  static final int FORMAT = 1;

  final int format;
  final String version;
  final List<FeatureReport> features;

  NodeFeatureStats(DiscoveryNode node, int format, String version, List<FeatureReport> features) {
    super(node);
    this.format = format;
    this.version = version;
    this.features = features;
  }

  NodeFeatureStats(StreamInput in) throws IOException {
    super(in);
    format = in.readVInt();
    if (format > FORMAT) {
      throw new IOException(
          "node ["
              + getNode().getName()
              + "] answered in format "
              + format
              + ", this node reads up to "
              + FORMAT
              + ": install the same plugin version on both");
    }
    version = in.readString();
    features = in.readList(FeatureReport::read);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeVInt(format);
    out.writeString(version);
    out.writeList(features);
  }
}
