package io.millrace.write.primarykeyfilter;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node and lets the test read what it counts. */
public final class PrimaryKeyFilterHost extends FeaturePlugin {
  private final PrimaryKeyFilterFeature feature;

  public PrimaryKeyFilterHost() {
    this(new PrimaryKeyFilterFeature());
  }

  private PrimaryKeyFilterHost(PrimaryKeyFilterFeature feature) {
    super(List.of(feature));
    this.feature = feature;
  }

  PrimaryKeyFilterFeature feature() {
    return feature;
  }
}
