package io.millrace.pipelines.sourcecontrol;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Hosts the feature in a test node, on a day that never ends. */
public final class SourceControlHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public SourceControlHost() {
    super(List.of(new SourceControlFeature(() -> 0)));
  }

  /** The feature with another clock, in milliseconds since the epoch. */
  public static Feature feature(LongSupplier clock) {
    return new SourceControlFeature(clock);
  }

  /** What such a feature reports, the newest day first. */
  public static List<Map<String, Object>> days(Feature feature) {
    return ((SourceControlFeature) feature).ledger().report();
  }

  SourceControlFeature feature() {
    return (SourceControlFeature) features.get(0);
  }
}
