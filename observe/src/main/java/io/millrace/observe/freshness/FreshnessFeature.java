package io.millrace.observe.freshness;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Measures the time from a write's arrival at a shard to the refresh that shows it to searches, and
 * puts beside it how soon the index promises to show writes (promise: {@code fresh-logs}).
 */
public final class FreshnessFeature implements Feature {
  private final Switch enabled = Feature.switchFor(id(), true);
  private final Knob<Integer> indices =
      new Knob<>(
          Setting.intSetting(
              prefix() + ".indices", 50, 0, 1000, Property.NodeScope, Property.Dynamic),
          "How many indices a node reports, from 0 to 1000; those nearest to their "
              + "promise come first. All indices are measured, counted and judged.");
  private final Freshness freshness = new Freshness(enabled::on, indices::value);
  private Scheduler.@Nullable Cancellable looking;

  /** What was measured; for other features of this domain. */
  public Freshness freshness() {
    return freshness;
  }

  @Override
  public String id() {
    return "observe.freshness";
  }

  @Override
  public String summary() {
    return "`GET /_millrace/freshness` shows for each index how long writes wait until a "
        + "search finds them, beside what the index promises";
  }

  @Override
  public List<String> sources() {
    return List.of("fresh-logs");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(indices);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        peak(
            "waiting",
            "nanoseconds",
            "How long the oldest write has waited that no search can see yet, by index",
            Freshness.IndexFreshness::waitingNanos),
        peak(
            "last_wait",
            "nanoseconds",
            "The wait that the last refresh ended, by index",
            Freshness.IndexFreshness::lastNanos),
        peak(
            "wait_p99",
            "microseconds",
            "99 of 100 refreshes ended a wait of at most this long, by index, since the "
                + "shard was opened",
            index -> index.waits().micros(99)),
        peak(
            "target",
            "milliseconds",
            "How soon an index promises now to show a write, by index; -1 where it promises "
                + "nothing",
            Freshness.IndexFreshness::targetMillis),
        Metric.gauge(
            "late_indices",
            "indices",
            "Indices whose oldest write has waited more than a second longer than promised",
            freshness::late));
  }

  private Metric peak(
      String name,
      String unit,
      String doc,
      java.util.function.ToDoubleFunction<Freshness.IndexFreshness> value) {
    return new Metric(name, Kind.GAUGE, unit, doc, Merge.MAX, () -> freshness.samples(value));
  }

  @Override
  public void declare(Hooks hooks) {
    freshness.profiles(hooks.profiles()::freshnessKept);
    hooks.engine(freshness);
    hooks.index(module -> module.addIndexEventListener(freshness));
    hooks.report("freshness", freshness);
  }

  @Override
  public void start(NodeServices services) {
    looking =
        services
            .threadPool()
            .scheduleWithFixedDelay(
                freshness::look, TimeValue.timeValueSeconds(1), ThreadPool.Names.GENERIC);
  }

  @Override
  public void stop() {
    if (looking != null) {
      looking.cancel();
    }
  }
}
