package io.millrace.cluster.balance;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;

/** When a difference between nodes is worth a move, and how often one may happen. */
final class BalanceLimits {
  private static final String PREFIX = Feature.prefix(BalanceFeature.ID);

  private final Knob<Boolean> dryRun =
      new Knob<>(
          Checked.flag(PREFIX + ".dry_run", false, Property.NodeScope, Property.Dynamic),
          "Stock places and moves shards; the moves that this feature would make are only listed.");
  private final Knob<TimeValue> interval =
      new Knob<>(
          time("interval", TimeValue.timeValueSeconds(30), TimeValue.timeValueSeconds(1)),
          "How often the cluster manager asks the data nodes what their shards write. A copy "
              + "counts once it has been watched for two of these intervals.");
  private final Knob<TimeValue> window =
      new Knob<>(
          time("window", TimeValue.timeValueMinutes(5), TimeValue.timeValueSeconds(1)),
          "How long a shard's past counts: after this time, for 37 percent. Longer is steadier, "
              + "shorter follows a change of load sooner.");
  private final Knob<TimeValue> quietTime =
      new Knob<>(
          time("quiet_time", TimeValue.timeValueMinutes(10), TimeValue.ZERO),
          "A shard whose copy has moved, for whatever reason, is not moved again for balance "
              + "until this time has passed.");
  private final Knob<Double> tolerance =
      new Knob<>(
          number("tolerance", 0.1, 0.01, 10),
          "A shard moves when its node still has this much more than the other one after the "
              + "move, as a share of an average node: 0.01 to 10.");
  private final Knob<Double> leastWriteLoad =
      new Knob<>(
          number("least_write_load", 0.05, 0.0001, 1000),
          "Busy indexing threads that an average node counts at least, 0.0001 to 1000. Below it "
              + "differences in writing weigh less, so that an idle cluster stays as it is.");

  private static Setting<TimeValue> time(String name, TimeValue value, TimeValue least) {
    return Checked.time(
        PREFIX + "." + name,
        value,
        least,
        TimeValue.timeValueDays(1),
        Property.NodeScope,
        Property.Dynamic);
  }

  private static Setting<Double> number(String name, double value, double least, double most) {
    return Checked.number(
        PREFIX + "." + name, value, least, most, Property.NodeScope, Property.Dynamic);
  }

  boolean dryRun() {
    return dryRun.value();
  }

  TimeValue interval() {
    return interval.value();
  }

  TimeValue window() {
    return window.value();
  }

  TimeValue quietTime() {
    return quietTime.value();
  }

  double tolerance() {
    return tolerance.value();
  }

  double leastWriteLoad() {
    return leastWriteLoad.value();
  }

  /** Runs now and after each change of the interval. */
  void followInterval(Runnable changed) {
    Knob.follow(changed, interval);
  }

  List<Knob<?>> knobs() {
    return List.of(dryRun, interval, window, quietTime, tolerance, leastWriteLoad);
  }
}
