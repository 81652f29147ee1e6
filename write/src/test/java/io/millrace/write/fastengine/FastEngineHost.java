package io.millrace.write.fastengine;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node and lets the test read what it counts. */
public final class FastEngineHost extends FeaturePlugin {
  private final FastEngineFeature feature;

  public FastEngineHost() {
    this(new FastEngineFeature());
  }

  private FastEngineHost(FastEngineFeature feature) {
    super(List.of(feature));
    this.feature = feature;
  }

  FastEngineFeature feature() {
    return feature;
  }
}
