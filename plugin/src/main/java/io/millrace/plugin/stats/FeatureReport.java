package io.millrace.plugin.stats;

import io.millrace.kernel.Feature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One feature of one node: whether it is on and what it counted. */
record FeatureReport(String id, String summary, boolean on, List<MetricReport> metrics) {

  static FeatureReport of(Feature feature, boolean withMetrics) {
    return new FeatureReport(
        feature.id(),
        feature.summary(),
        feature.enabled().on(),
        withMetrics ? feature.metrics().stream().map(MetricReport::of).toList() : List.of());
  }

  /** Reads what {@link #toMap} made. */
  static FeatureReport of(String id, ReportMap map) {
    List<MetricReport> metrics = new ArrayList<>();
    map.child("metrics").forEach((name, metric) -> metrics.add(MetricReport.of(name, metric)));
    return new FeatureReport(id, map.text("summary"), map.flag("on"), metrics);
  }

  /** As names and values, without the id. */
  Map<String, Object> toMap() {
    Map<String, Object> byName = new LinkedHashMap<>();
    metrics.forEach(metric -> byName.put(metric.name(), metric.toMap()));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("summary", summary);
    map.put("on", on);
    map.put("metrics", byName);
    return map;
  }

  /** Two nodes' figures of one feature made one; on where any of them is on. */
  FeatureReport merge(FeatureReport other) {
    Map<String, MetricReport> merged = new LinkedHashMap<>();
    metrics.forEach(metric -> merged.put(metric.name(), metric));
    other.metrics.forEach(metric -> merged.merge(metric.name(), metric, MetricReport::merge));
    return new FeatureReport(id, summary, on || other.on, List.copyOf(merged.values()));
  }
}
