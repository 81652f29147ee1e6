package io.millrace.cluster.flapdamping;

import io.millrace.cluster.fastrestart.FastRestartFeature;
import io.millrace.cluster.managerhandover.ManagerHandoverFeature;
import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node, with that by which restarts are announced. */
public final class FlapHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public FlapHost() {
    super(
        List.of(new ManagerHandoverFeature(), new FastRestartFeature(), new FlapDampingFeature()));
  }
}
