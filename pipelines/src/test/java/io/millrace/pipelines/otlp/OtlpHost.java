package io.millrace.pipelines.otlp;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node. */
public final class OtlpHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public OtlpHost() {
    super(List.of(new OtlpFeature()));
  }

  OtlpFeature feature() {
    return (OtlpFeature) features.get(0);
  }
}
