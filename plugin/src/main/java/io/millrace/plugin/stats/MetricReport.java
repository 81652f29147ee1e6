package io.millrace.plugin.stats;

import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/** The values of one metric at one moment, of one node or of several nodes made one. */
record MetricReport(
    String name, Kind kind, String unit, String doc, Merge merge, List<Sample> samples)
    implements Writeable, ToXContentFragment {

  static MetricReport of(Metric metric) {
    return new MetricReport(
        metric.name(),
        metric.kind(),
        metric.unit(),
        metric.doc(),
        metric.merge(),
        List.copyOf(metric.samples().get()));
  }

  static MetricReport read(StreamInput in) throws IOException {
    return new MetricReport(
        in.readString(),
        in.readEnum(Kind.class),
        in.readString(),
        in.readString(),
        in.readEnum(Merge.class),
        in.readList(sample ->
            new Sample(
                sample.readMap(StreamInput::readString, StreamInput::readString),
                sample.readDouble())));
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeString(name);
    out.writeEnum(kind);
    out.writeString(unit);
    out.writeString(doc);
    out.writeEnum(merge);
    out.writeCollection(
        samples,
        (to, sample) -> {
          to.writeMap(sample.labels(), StreamOutput::writeString, StreamOutput::writeString);
          to.writeDouble(sample.value());
        });
  }

  /** The same metric of another node added to this one, label set by label set. */
  MetricReport merge(MetricReport other) {
    Map<Map<String, String>, Double> merged = new LinkedHashMap<>();
    for (List<Sample> part : List.of(samples, other.samples)) {
      for (Sample sample : part) {
        merged.merge(sample.labels(), sample.value(), merge == Merge.MAX ? Math::max : Double::sum);
      }
    }
    List<Sample> all =
        merged.entrySet().stream().map(e -> new Sample(e.getKey(), e.getValue())).toList();
    return new MetricReport(name, kind, unit, doc, merge, all);
  }

  /**
   * {@code "name": {"unit": ..., "kind": ..., "value": n}}, or {@code "samples": [{labels, value}]}
   * for a metric with labels; {@code "merge": "max"} where values of several nodes or labels must
   * not be added.
   */
  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder
        .startObject(name)
        .field("unit", unit)
        .field("kind", kind.name().toLowerCase(java.util.Locale.ROOT));
    if (merge == Merge.MAX) {
      builder.field("merge", "max");
    }
    if (samples.size() == 1 && samples.getFirst().labels().isEmpty()) {
      number(builder.field("value"), samples.getFirst().value());
    } else {
      builder.startArray("samples");
      for (Sample sample : samples) {
        builder.startObject().field("labels", new TreeMap<>(sample.labels()));
        number(builder.field("value"), sample.value()).endObject();
      }
      builder.endArray();
    }
    return builder.endObject();
  }

  /** Whole numbers are written as such: counters of bytes stay readable and exact. */
  private static XContentBuilder number(XContentBuilder builder, double value) throws IOException {
    return value == Math.rint(value) && Math.abs(value) < 1L << 53
        ? builder.value((long) value)
        : builder.value(value);
  }
}
