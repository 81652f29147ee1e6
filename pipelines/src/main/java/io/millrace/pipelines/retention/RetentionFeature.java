package io.millrace.pipelines.retention;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.function.LongSupplier;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;

/**
 * Indices go when they are old or when there are too many of them, by rules that somebody gave.
 *
 * <p>Why: a cluster for logs that nobody cleans is full one day, and stock has nothing that
 * deletes. It is off by default, because it deletes data: nobody gets that unasked. Promise: {@code
 * retention}.
 */
public final class RetentionFeature implements Feature {
  static final String ID = "pipelines.retention";

  /** The index stays whatever the rules say. */
  static final Setting<Boolean> HOLD =
      Checked.flag("index.millrace.retention.hold", false, Property.IndexScope, Property.Dynamic);

  /** Entries that the journal keeps: the deletions of 100 indices a day for three months. */
  private static final int JOURNAL = 10_000;

  private final Switch enabled = Feature.switchFor(ID, false);
  private final Knob<List<RetentionRule>> rules =
      new Knob<>(
          Checked.lines(
              Feature.prefix(ID) + ".rules",
              RetentionRule::parse,
              Property.NodeScope,
              Property.Dynamic),
          "Lines such as `logs-* max_age=14d max_size=200gb`: a pattern of names of indices or "
              + "data streams, then `max_age`, `max_size`, `rollover_age`, `rollover_size`. The "
              + "first line that matches an index counts. With lines, the plan is shown even "
              + "while the feature is off.");
  private final Knob<Boolean> dryRun =
      new Knob<>(
          Checked.flag(Feature.prefix(ID) + ".dry_run", true, Property.NodeScope, Property.Dynamic),
          "`true` only shows what would be done. Nothing is deleted before this is `false`.");
  private final Knob<TimeValue> interval =
      new Knob<>(
          Checked.time(
              Feature.prefix(ID) + ".interval",
              TimeValue.timeValueMinutes(5),
              TimeValue.timeValueSeconds(1),
              Property.NodeScope,
              Property.Dynamic),
          "How often the elected cluster manager looks.");
  private final Knob<Integer> most =
      new Knob<>(
          Setting.intSetting(
              Feature.prefix(ID) + ".max_steps",
              20,
              1,
              1_000,
              Property.NodeScope,
              Property.Dynamic),
          "How many indices one look deletes or rolls over at most, so that a wrong rule or clock "
              + "is seen before all is gone.");
  private final Knob<Boolean> hold =
      new Knob<>(HOLD, "`true` keeps the index, whatever the rules say.");
  private final Retention retention;

  /** As the product has it. */
  public RetentionFeature() {
    this(System::currentTimeMillis, JOURNAL);
  }

  /**
   * With another clock.
   *
   * @param clock milliseconds since the epoch
   * @param kept entries that the index of the journal keeps
   */
  RetentionFeature(LongSupplier clock, int kept) {
    retention = new Retention(enabled, dryRun, rules, interval, most, clock, kept);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "deletes dated indices and those of data streams by age and by size, by rules that"
        + " somebody gave";
  }

  @Override
  public List<String> sources() {
    return List.of("retention");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(rules, dryRun, interval, most, hold);
  }

  @Override
  public List<Metric> metrics() {
    return retention.metrics();
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.report("retention", retention);
    hooks.systemIndex(JournalIndex.DESCRIPTOR);
    hooks.diskRelief(retention.relief());
  }

  @Override
  public void start(NodeServices services) {
    retention.start(services);
  }

  @Override
  public void stop() {
    retention.stop();
  }

  Retention retention() {
    return retention;
  }
}
