package io.millrace.search.columns;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node. */
public final class ColumnsHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public ColumnsHost() {
    super(List.of(new ColumnsFeature()));
  }
}
