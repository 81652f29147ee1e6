package io.millrace.plugin.stats;

import io.millrace.kernel.Feature;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/** One feature of one node: whether it is on and what it counted. */
record FeatureReport(String id, String summary, boolean on, List<MetricReport> metrics)
    implements Writeable {

  static FeatureReport of(Feature feature, boolean withMetrics) {
    return new FeatureReport(
        feature.id(),
        feature.summary(),
        feature.enabled().on(),
        withMetrics ? feature.metrics().stream().map(MetricReport::of).toList() : List.of());
  }

  static FeatureReport read(StreamInput in) throws IOException {
    return new FeatureReport(
        in.readString(), in.readString(), in.readBoolean(), in.readList(MetricReport::read));
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeString(id);
    out.writeString(summary);
    out.writeBoolean(on);
    out.writeList(metrics);
  }

  /** Two nodes' figures of one feature made one; on where any of them is on. */
  FeatureReport merge(FeatureReport other) {
    Map<String, MetricReport> merged = new LinkedHashMap<>();
    metrics.forEach(metric -> merged.put(metric.name(), metric));
    other.metrics.forEach(metric -> merged.merge(metric.name(), metric, MetricReport::merge));
    return new FeatureReport(id, summary, on || other.on, List.copyOf(merged.values()));
  }
}
