package io.millrace.guard.debt;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;

/** When a node counts as full, and what each amount of debt brings. */
final class DebtLimits {
  private static final String PREFIX = Feature.prefix(GcDebtFeature.ID);

  private final Knob<Double> full =
      new Knob<>(
          Checked.number(
              PREFIX + ".full_above", 0.9, 0.5, 0.99, Property.NodeScope, Property.Dynamic),
          "Share of the heap, from 0.5 to 0.99. While more than this survives "
              + "collections, the time spent collecting adds to the debt.");
  private final Knob<TimeValue> shed =
      new Knob<>(
          after("shed_after", 1), "With this much debt the node refuses heavy requests with 429.");
  private final Knob<TimeValue> cancel =
      new Knob<>(
          after("cancel_after", 3),
          "With this much debt the node cancels the search that has allocated most, one "
              + "each time the debt is updated; its client gets 429.");
  private final Knob<TimeValue> leave =
      new Knob<>(
          after("leave_after", 10),
          "With this much debt the process ends itself, so that its supervisor starts it "
              + "again. `1d` never leaves.");

  private static Setting<TimeValue> after(String name, int seconds) {
    return Checked.time(
        PREFIX + "." + name,
        TimeValue.timeValueSeconds(seconds),
        TimeValue.timeValueMillis(100),
        Property.NodeScope,
        Property.Dynamic);
  }

  String shedKey() {
    return shed.key();
  }

  String cancelKey() {
    return cancel.key();
  }

  /** Share of the heap, 0 to 1. */
  double full() {
    return full.value();
  }

  /** Milliseconds of debt from which heavy requests are refused. */
  long shed() {
    return shed.value().millis();
  }

  /** Milliseconds of debt from which searches are cancelled. */
  long cancel() {
    return cancel.value().millis();
  }

  /** Milliseconds of debt from which the process ends. */
  long leave() {
    return leave.value().millis();
  }

  List<Knob<?>> knobs() {
    return List.of(full, shed, cancel, leave);
  }
}
