package io.millrace.pipelines.retention;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Hosts the feature in a test node, with a clock that the test turns. */
public final class RetentionHost extends FeaturePlugin {
  /** Entries of the journal that the index keeps. */
  static final int KEPT = 12;

  private final AtomicLong clock;

  /** As OpenSearch constructs it. */
  public RetentionHost() {
    this(new AtomicLong(Instant.parse("2026-10-01T00:00:00Z").toEpochMilli()));
  }

  private RetentionHost(AtomicLong clock) {
    super(List.of(new RetentionFeature(clock::get, KEPT)));
    this.clock = clock;
  }

  /**
   * The feature with another clock.
   *
   * @param clock milliseconds since the epoch
   * @param kept entries that the index of the journal keeps
   */
  public static Feature feature(LongSupplier clock, int kept) {
    return new RetentionFeature(clock, kept);
  }

  /** One look of such a feature. */
  public static void look(Feature feature, Runnable done) {
    ((RetentionFeature) feature).retention().look(done);
  }

  /** What such a feature reports. */
  public static Map<String, Object> report(Feature feature) {
    return ((RetentionFeature) feature).retention().report();
  }

  Retention retention() {
    return ((RetentionFeature) features.get(0)).retention();
  }

  AtomicLong clock() {
    return clock;
  }
}
