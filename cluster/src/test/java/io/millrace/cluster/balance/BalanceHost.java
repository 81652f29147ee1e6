package io.millrace.cluster.balance;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node. */
public final class BalanceHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public BalanceHost() {
    super(List.of(new BalanceFeature()));
  }
}
