package io.millrace.plugin.stats;

import io.millrace.kernel.report.NodeReport;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.cluster.node.DiscoveryNode;

/**
 * The features of one node, read from its report.
 *
 * @param version of the plugin there
 */
record NodeFeatures(DiscoveryNode node, String version, List<FeatureReport> features) {

  static NodeFeatures of(NodeReport report) {
    List<FeatureReport> features = new ArrayList<>();
    ReportMap map = new ReportMap(report.report());
    map.child("features").forEach((id, feature) -> features.add(FeatureReport.of(id, feature)));
    return new NodeFeatures(report.getNode(), map.text("version"), features);
  }
}
