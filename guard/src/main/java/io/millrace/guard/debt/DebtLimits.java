package io.millrace.guard.debt;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;

/** When a node counts as full, and what each amount of debt brings. */
final class DebtLimits {
  private static final String PREFIX = Feature.prefix(GcDebtFeature.ID);

  private final Setting<Double> full =
      Setting.doubleSetting(
          PREFIX + ".full_above", 0.9, 0.5, 0.99, Property.NodeScope, Property.Dynamic);
  private final Setting<TimeValue> shed = after("shed_after", 1);
  private final Setting<TimeValue> cancel = after("cancel_after", 3);
  private final Setting<TimeValue> leave = after("leave_after", 10);

  private volatile double fullAbove = full.getDefault(Settings.EMPTY);
  private volatile long shedMillis = shed.getDefault(Settings.EMPTY).millis();
  private volatile long cancelMillis = cancel.getDefault(Settings.EMPTY).millis();
  private volatile long leaveMillis = leave.getDefault(Settings.EMPTY).millis();

  private static Setting<TimeValue> after(String name, int seconds) {
    return Setting.timeSetting(
        PREFIX + "." + name,
        TimeValue.timeValueSeconds(seconds),
        TimeValue.timeValueMillis(100),
        Property.NodeScope,
        Property.Dynamic);
  }

  void bind(Settings node, ClusterSettings cluster) {
    fullAbove = full.get(node);
    shedMillis = shed.get(node).millis();
    cancelMillis = cancel.get(node).millis();
    leaveMillis = leave.get(node).millis();
    cluster.addSettingsUpdateConsumer(full, v -> fullAbove = v);
    cluster.addSettingsUpdateConsumer(shed, v -> shedMillis = v.millis());
    cluster.addSettingsUpdateConsumer(cancel, v -> cancelMillis = v.millis());
    cluster.addSettingsUpdateConsumer(leave, v -> leaveMillis = v.millis());
  }

  String shedKey() {
    return shed.getKey();
  }

  /** Share of the heap, 0 to 1. */
  double full() {
    return fullAbove;
  }

  long shed() {
    return shedMillis;
  }

  long cancel() {
    return cancelMillis;
  }

  long leave() {
    return leaveMillis;
  }

  List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(
            full, "Share of the heap alive after a collection above which collecting is debt."),
        new Knob<>(shed, "Debt from which heavy requests are refused with 429."),
        new Knob<>(cancel, "Debt from which the largest search is cancelled, one each look."),
        new Knob<>(
            leave,
            "Debt from which the process ends itself, for its supervisor to start it anew. A day"
                + " (1d) never leaves."));
  }
}
