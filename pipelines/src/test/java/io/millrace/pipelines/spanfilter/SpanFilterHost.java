package io.millrace.pipelines.spanfilter;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node. */
public final class SpanFilterHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public SpanFilterHost() {
    super(List.of(new SpanFilterFeature()));
  }
}
