package io.millrace.pipelines.retention;

import io.millrace.kernel.FeaturePlugin;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Hosts the feature in a test node, with a clock that the test turns. */
public final class RetentionHost extends FeaturePlugin {
  private final AtomicLong clock;

  /** As OpenSearch constructs it. */
  public RetentionHost() {
    this(new AtomicLong(Instant.parse("2026-10-01T00:00:00Z").toEpochMilli()));
  }

  private RetentionHost(AtomicLong clock) {
    super(List.of(new RetentionFeature(clock::get)));
    this.clock = clock;
  }

  Retention retention() {
    return ((RetentionFeature) features.get(0)).retention();
  }

  AtomicLong clock() {
    return clock;
  }
}
