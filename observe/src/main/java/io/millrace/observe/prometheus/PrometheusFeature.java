package io.millrace.observe.prometheus;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.observe.gc.GcObservation;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;

/**
 * Metrics for Prometheus from the node itself, without a separate exporter: the node's own
 * statistics, those of its largest shards, the cluster's health on its manager, and every metric of
 * every feature.
 */
public final class PrometheusFeature implements Feature {
  private final Switch enabled = Feature.switchFor(id(), true);
  private final Knob<Integer> shards =
      new Knob<>(
          Setting.intSetting(
              prefix() + ".shards", 200, 0, 5000, Property.NodeScope, Property.Dynamic),
          "How many shards of a node are shown one by one, from 0 to 5000, the largest "
              + "first. Each is eight time series.");
  private final @Nullable GcObservation gc;
  private final LongAdder scrapes = new LongAdder();
  private final LongAdder scrapeNanos = new LongAdder();
  private volatile long samples;
  private volatile @Nullable NodeServices services;

  /**
   * @param gc whose histograms to show; null shows none
   */
  public PrometheusFeature(@Nullable GcObservation gc) {
    this.gc = gc;
  }

  @Override
  public String id() {
    return "observe.prometheus";
  }

  @Override
  public String summary() {
    return "`GET /_prometheus/metrics` gives the figures of the node, its shards and every "
        + "feature as OpenMetrics text";
  }

  @Override
  public List<String> sources() {
    return List.of("exporter");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(shards);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter("scrapes", "scrapes", "Pages rendered", scrapes::sum),
        Metric.counter(
            "scrape_time",
            "nanoseconds",
            "Time to render pages; collecting the node's statistics is not in it",
            scrapeNanos::sum),
        Metric.gauge("samples", "samples", "Values on the last page", () -> samples));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.rest(new RestPrometheusAction(this, gc, shards::value));
  }

  @Override
  public void start(NodeServices nodeServices) {
    services = nodeServices;
  }

  @Nullable NodeServices services() {
    return services;
  }

  void scraped(long nanos, int count) {
    scrapes.increment();
    scrapeNanos.add(nanos);
    samples = count;
  }
}
