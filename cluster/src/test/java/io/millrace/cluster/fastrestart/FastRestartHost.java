package io.millrace.cluster.fastrestart;

import io.millrace.cluster.managerhandover.ManagerHandoverFeature;
import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node, with the handover that it uses. */
public final class FastRestartHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public FastRestartHost() {
    super(List.of(new ManagerHandoverFeature(), new FastRestartFeature()));
  }
}
