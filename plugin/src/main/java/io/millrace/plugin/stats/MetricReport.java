package io.millrace.plugin.stats;

import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/** The values of one metric at one moment, of one node or of several nodes made one. */
record MetricReport(
    String name, Kind kind, String unit, String doc, Merge merge, List<Sample> samples)
    implements ToXContentFragment {

  static MetricReport of(Metric metric) {
    return new MetricReport(
        metric.name(),
        metric.kind(),
        metric.unit(),
        metric.doc(),
        metric.merge(),
        List.copyOf(metric.samples().get()));
  }

  /** Reads what {@link #toMap} made. */
  static MetricReport of(String name, ReportMap map) {
    return new MetricReport(
        name,
        word(Kind.values(), map.text("kind"), Kind.GAUGE),
        map.text("unit"),
        map.text("doc"),
        word(Merge.values(), map.text("merge"), Merge.SUM),
        map.list("samples").stream()
            .map(sample -> {
              Map<String, String> labels = new LinkedHashMap<>();
              sample
                  .child("labels")
                  .map()
                  .forEach(
                      (label, value) -> labels.put(String.valueOf(label), String.valueOf(value)));
              return new Sample(labels, sample.number("value"));
            })
            .toList());
  }

  private static <E extends Enum<E>> E word(E[] constants, String word, E unknown) {
    return Arrays.stream(constants)
        .filter(one -> word(one).equals(word))
        .findFirst()
        .orElse(unknown);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** As names and values, without the name. */
  Map<String, Object> toMap() {
    List<Map<String, Object>> values = new ArrayList<>();
    for (Sample sample : samples) {
      values.add(Map.of("labels", sample.labels(), "value", sample.value()));
    }
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("kind", word(kind));
    map.put("unit", unit);
    map.put("doc", doc);
    map.put("merge", word(merge));
    map.put("samples", values);
    return map;
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
    builder.startObject(name).field("unit", unit).field("kind", word(kind));
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
