package io.millrace.plugin.stats;

import io.millrace.kernel.Feature;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the features of this node say about themselves. A report carries all that is needed to
 * render them, so a node shows another node's feature that it does not know itself.
 */
public record LocalFeatures(List<Feature> features, Build build) {
  /** The subject of {@link #switches}. */
  public static final String FEATURES = "features";

  /** The subject of {@link #stats}. */
  public static final String STATS = "stats";

  /** Which features there are and which are on. */
  public Map<String, Object> switches() {
    return report(false);
  }

  /** The same with what they counted. */
  public Map<String, Object> stats() {
    return report(true);
  }

  private Map<String, Object> report(boolean withMetrics) {
    Map<String, Object> byId = new LinkedHashMap<>();
    features.forEach(
        feature -> byId.put(feature.id(), FeatureReport.of(feature, withMetrics).toMap()));
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("version", build.version());
    report.put("features", byId);
    return report;
  }
}
