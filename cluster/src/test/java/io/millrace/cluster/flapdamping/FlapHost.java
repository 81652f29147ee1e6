package io.millrace.cluster.flapdamping;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node. */
public final class FlapHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public FlapHost() {
    super(List.of(new FlapDampingFeature()));
  }
}
