package io.millrace.observe.prometheus;

import io.millrace.kernel.Feature;
import io.millrace.kernel.metric.Durations;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.observe.gc.GcObservation;
import io.millrace.observe.prometheus.Exposition.Type;
import java.util.List;
import java.util.Map;

/** Every metric of every feature, in base units, and the collector's histograms. */
final class FeatureFigures {
  private static final double[] BOUNDS = {
    1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private FeatureFigures() {}

  /** The unit Prometheus wants, and what a value in ours is multiplied by. */
  record BaseUnit(String name, double scale) {
    static BaseUnit of(String unit) {
      return switch (unit) {
        case "nanoseconds" -> new BaseUnit("seconds", 1e-9);
        case "microseconds" -> new BaseUnit("seconds", 1e-6);
        case "milliseconds" -> new BaseUnit("seconds", 1e-3);
        case "seconds", "bytes" -> new BaseUnit(unit, 1);
        default -> new BaseUnit("", 1);
      };
    }
  }

  static void write(List<Feature> features, Exposition page) {
    for (Feature feature : features) {
      page.add(
          "millrace_feature_on",
          Type.GAUGE,
          "",
          "Whether a feature is on",
          Map.of("feature", feature.id()),
          feature.enabled().on() ? 1 : 0);
    }
    for (Feature feature : features) {
      for (Metric metric : feature.metrics()) {
        BaseUnit unit = BaseUnit.of(metric.unit());
        for (Sample sample : metric.samples().get()) {
          page.add(
              feature.prefix() + "_" + metric.name(),
              metric.kind() == Kind.COUNTER ? Type.COUNTER : Type.GAUGE,
              unit.name(),
              metric.doc(),
              sample.labels(),
              sample.value() * unit.scale());
        }
      }
    }
  }

  static void write(GcObservation gc, Exposition page) {
    histogram("millrace_gc_pause_duration", "Pauses that stopped every thread", gc.pauses(), page);
    histogram(
        "millrace_gc_allocation_stall_duration",
        "Times a thread waited for ZGC to free memory",
        gc.stalls(),
        page);
  }

  private static void histogram(String name, String help, Durations durations, Exposition page) {
    long[] micros = new long[BOUNDS.length];
    for (int i = 0; i < micros.length; i++) {
      micros[i] = Math.round(BOUNDS[i] * 1e6);
    }
    synchronized (durations) {
      page.addHistogram(
          name,
          "seconds",
          help,
          BOUNDS,
          durations.atMost(micros),
          durations.count(),
          durations.totalNanos() / 1e9);
    }
  }
}
