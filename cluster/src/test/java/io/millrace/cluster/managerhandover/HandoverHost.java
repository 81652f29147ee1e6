package io.millrace.cluster.managerhandover;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node. */
public final class HandoverHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public HandoverHost() {
    super(List.of(new ManagerHandoverFeature()));
  }
}
