package io.millrace.plugin.stats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.cluster.ClusterName;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** The answers of the nodes that have the plugin, and the names of those that have not. */
public final class FeatureStatsResponse extends BaseNodesResponse<NodeFeatureStats> {
  final List<AbsentNode> absent;

  FeatureStatsResponse(
      ClusterName cluster,
      List<NodeFeatureStats> nodes,
      List<FailedNodeException> failures,
      List<AbsentNode> absent) {
    super(cluster, nodes, failures);
    this.absent = absent;
  }

  FeatureStatsResponse(StreamInput in) throws IOException {
    super(in);
    absent = in.readList(AbsentNode::read);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeList(absent);
  }

  @Override
  protected List<NodeFeatureStats> readNodesFrom(StreamInput in) throws IOException {
    return in.readList(NodeFeatureStats::new);
  }

  @Override
  protected void writeNodesTo(StreamOutput out, List<NodeFeatureStats> nodes) throws IOException {
    out.writeList(nodes);
  }

  /** Every feature that any node has, by id, with the figures of all nodes made one. */
  Map<String, FeatureReport> merged() {
    Map<String, FeatureReport> merged = new LinkedHashMap<>();
    for (NodeFeatureStats node : getNodes()) {
      node.features.forEach(feature -> merged.merge(feature.id(), feature, FeatureReport::merge));
    }
    return merged;
  }

  /** What an operator should know about a cluster whose nodes differ; empty when they do not. */
  List<String> warnings(Build here) {
    List<String> warnings = new ArrayList<>();
    absent.forEach(node -> warnings.add(node.message(here)));
    Map<String, FeatureReport> all = merged();
    for (NodeFeatureStats node : getNodes()) {
      String name = node.getNode().getName();
      if (!node.version.equals(here.version())) {
        warnings.add(
            "node ["
                + name
                + "] runs plugin [millrace] "
                + node.version
                + ", the node that answers runs "
                + here.version()
                + ": install one version on all nodes");
      }
      List<String> missing = new ArrayList<>(all.keySet());
      node.features.forEach(feature -> missing.remove(feature.id()));
      if (!missing.isEmpty()) {
        warnings.add("node [" + name + "] lacks the features " + missing);
      }
    }
    failures()
        .forEach(failure ->
            warnings.add(
                "node [" + failure.nodeId() + "] did not answer: " + failure.getDetailedMessage()));
    return warnings;
  }
}
