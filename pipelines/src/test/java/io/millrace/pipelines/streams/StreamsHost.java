package io.millrace.pipelines.streams;

import io.millrace.kernel.FeaturePlugin;
import java.util.List;

/** Hosts the feature in a test node. */
public final class StreamsHost extends FeaturePlugin {
  /** As OpenSearch constructs it. */
  public StreamsHost() {
    super(List.of(new StreamsFeature()));
  }

  StreamsFeature feature() {
    return (StreamsFeature) features.get(0);
  }
}
