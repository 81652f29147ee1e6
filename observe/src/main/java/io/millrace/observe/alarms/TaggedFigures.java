package io.millrace.observe.alarms;

import io.millrace.kernel.Feature;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.metric.Tag;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What this node's features count under each tag, added up, whichever features those are. */
final class TaggedFigures {
  private final Map<Tag, List<Metric>> metrics = new EnumMap<>(Tag.class);
  private final Map<Tag, List<String>> features = new EnumMap<>(Tag.class);

  /**
   * @param features those of this node; a tag that none of them uses counts nothing
   */
  TaggedFigures(List<Feature> features) {
    for (Feature feature : features) {
      for (Metric metric : feature.metrics()) {
        for (Tag tag : metric.tags()) {
          metrics.computeIfAbsent(tag, each -> new ArrayList<>()).add(metric);
          List<String> ids = this.features.computeIfAbsent(tag, each -> new ArrayList<>());
          if (!ids.contains(feature.id())) {
            ids.add(feature.id());
          }
        }
      }
    }
  }

  /** The figures of now; a tag without metrics is not among them. */
  Map<Tag, Figure> read() {
    Map<Tag, Figure> figures = new EnumMap<>(Tag.class);
    metrics.forEach((tag, tagged) ->
        figures.put(tag, figure(tagged, String.join(",", features.getOrDefault(tag, List.of())))));
    return figures;
  }

  private static Figure figure(List<Metric> metrics, String features) {
    double sum = 0;
    Sample most = new Sample(Map.of(), 0);
    for (Metric metric : metrics) {
      for (Sample sample : metric.samples().get()) {
        sum += sample.value();
        most = sample.value() > most.value() ? sample : most;
      }
    }
    return new Figure((long) sum, features, most.labels());
  }

  /**
   * What is counted under one tag.
   *
   * @param features who counts, as {@code GET /_millrace/stats?feature=} takes it
   * @param most labels of the largest of the values; empty where they have none
   */
  record Figure(long value, String features, Map<String, String> most) {
    static final Figure NONE = new Figure(0, "");

    /** A figure without labels. */
    Figure(long value, String features) {
      this(value, features, Map.of());
    }
  }
}
