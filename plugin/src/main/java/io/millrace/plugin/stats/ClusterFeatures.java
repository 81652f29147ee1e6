package io.millrace.plugin.stats;

import io.millrace.kernel.report.NodeReports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.FailedNodeException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.action.RestActions;

/**
 * The features of the nodes that have the plugin, and the nodes that have not.
 *
 * @param absent nodes without the plugin
 * @param failures of nodes that have it
 */
record ClusterFeatures(
    String cluster,
    List<NodeFeatures> nodes,
    List<DiscoveryNode> absent,
    List<FailedNodeException> failures) {

  static ClusterFeatures of(NodeReports reports) {
    return new ClusterFeatures(
        reports.getClusterName().value(),
        reports.getNodes().stream().map(NodeFeatures::of).toList(),
        reports.absent(),
        reports.failuresOfPresent());
  }

  /** Every feature that any node has, by id, with the figures of all nodes made one. */
  Map<String, FeatureReport> merged() {
    Map<String, FeatureReport> merged = new LinkedHashMap<>();
    for (NodeFeatures node : nodes) {
      node.features().forEach(feature -> merged.merge(feature.id(), feature, FeatureReport::merge));
    }
    return merged;
  }

  /** What stands first in every answer: which nodes answered, and what an operator should know. */
  void header(XContentBuilder builder, ToXContent.Params params) throws IOException {
    RestActions.buildNodesHeader(
        builder, params, nodes.size() + failures.size(), nodes.size(), failures.size(), failures);
    builder.field("cluster_name", cluster);
  }

  /** What is missing on a node without the plugin, and how to get it. */
  static String absence(DiscoveryNode node, Build build) {
    return "plugin [millrace] is not installed on node ["
        + node.getName()
        + "]: its features do not act there and its settings are unknown there"
        + (node.isClusterManagerNode()
            ? ", and while it is cluster manager, documents with new fields are refused in indices"
                + " with log_text fields"
            : "")
        + "; install millrace-"
        + build.version()
        + ".zip with opensearch-plugin and restart the node";
  }

  /** What an operator should know about a cluster whose nodes differ; empty when they do not. */
  List<String> warnings(Build here) {
    List<String> warnings = new ArrayList<>();
    absent.forEach(node -> warnings.add(absence(node, here)));
    Map<String, FeatureReport> all = merged();
    for (NodeFeatures node : nodes) {
      String name = node.node().getName();
      if (!node.version().equals(here.version())) {
        warnings.add(
            "node ["
                + name
                + "] runs plugin [millrace] "
                + node.version()
                + ", the node that answers runs "
                + here.version()
                + ": install one version on all nodes");
      }
      List<String> missing = new ArrayList<>(all.keySet());
      node.features().forEach(feature -> missing.remove(feature.id()));
      if (!missing.isEmpty()) {
        warnings.add("node [" + name + "] lacks the features " + missing);
      }
    }
    failures.forEach(failure ->
        warnings.add(
            "node [" + failure.nodeId() + "] did not answer: " + failure.getDetailedMessage()));
    return warnings;
  }
}
