package io.millrace.pipelines.sourcecontrol;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node, on a day that never ends. */
public final class SourceControlHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public SourceControlHost() {
    super(List.of(new SourceControlFeature(() -> 0)));
  }

  SourceControlFeature feature() {
    return (SourceControlFeature) features.get(0);
  }
}
