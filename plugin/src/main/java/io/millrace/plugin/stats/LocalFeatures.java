package io.millrace.plugin.stats;

import io.millrace.kernel.Feature;
import java.util.List;

/** The features of this node and the build they come from, as a component for injection. */
public record LocalFeatures(List<Feature> features, Build build) {

  /**
   * What the features say about themselves now.
   *
   * @param withMetrics whether to read the metrics; without, only id, summary and switch
   */
  List<FeatureReport> report(boolean withMetrics) {
    return features.stream().map(feature -> FeatureReport.of(feature, withMetrics)).toList();
  }
}
