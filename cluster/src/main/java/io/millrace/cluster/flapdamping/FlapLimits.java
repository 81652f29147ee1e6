package io.millrace.cluster.flapdamping;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;

/** From when on a node flaps, and when it has stayed. */
final class FlapLimits {
  private static final String PREFIX = Feature.prefix(FlapDampingFeature.ID);

  private final Knob<Integer> joins =
      new Knob<>(
          Setting.intSetting(PREFIX + ".joins", 3, 2, 100, Property.NodeScope, Property.Dynamic),
          "A node that has joined so many times within `window` gets no shards, 2 to 100.");
  private final Knob<TimeValue> window =
      new Knob<>(time("window", 10), "How far back joins count.");
  private final Knob<TimeValue> settle =
      new Knob<>(
          time("settle", 5),
          "For how long the node must have stayed since its last join until it gets shards again.");

  private static Setting<TimeValue> time(String name, int minutes) {
    return Checked.time(
        PREFIX + "." + name,
        TimeValue.timeValueMinutes(minutes),
        TimeValue.timeValueMillis(100),
        TimeValue.timeValueDays(7),
        Property.NodeScope,
        Property.Dynamic);
  }

  int joins() {
    return joins.value();
  }

  TimeValue window() {
    return window.value();
  }

  TimeValue settle() {
    return settle.value();
  }

  List<Knob<?>> knobs() {
    return List.of(joins, window, settle);
  }
}
