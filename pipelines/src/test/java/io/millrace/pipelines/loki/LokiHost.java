package io.millrace.pipelines.loki;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node. */
public final class LokiHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public LokiHost() {
    super(List.of(new LokiFeature()));
  }

  LokiFeature feature() {
    return (LokiFeature) features.get(0);
  }
}
