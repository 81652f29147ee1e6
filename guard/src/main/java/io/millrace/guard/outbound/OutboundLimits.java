package io.millrace.guard.outbound;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The settings of {@code guard.outbound-budget}. */
final class OutboundLimits {
  static final int PIPELINING = 1;
  static final TimeValue STALL = TimeValue.timeValueSeconds(30);
  static final TimeValue PRESSED_STALL = TimeValue.timeValueSeconds(2);

  static final long FLOOR_RATE = 4 << 10;

  private static final String PREFIX = Feature.prefix(OutboundBudgetFeature.ID);
  private static final String NODE = PREFIX + ".node";
  private static final ByteSizeValue LEAST = new ByteSizeValue(1 << 20);

  final Knob<ByteSizeValue> node =
      new Knob<>(
          Checked.memory(NODE, "10%", LEAST, Property.NodeScope, Property.Dynamic),
          "How many bytes of responses may wait to be written on the whole node: bytes, "
              + "or a share of the heap. Above it, clients that do not read are disconnected "
              + "after `pressed_stall_timeout`.");
  final Knob<Integer> pipelining =
      new Knob<>(
          Setting.intSetting(
              PREFIX + ".pipelining", PIPELINING, 1, 10_000, Property.NodeScope, Property.Dynamic),
          "How many requests of one HTTP/1 connection may be in progress, from their "
              + "start until their responses are written. Further requests stay unread, in "
              + "order.");
  final Knob<ByteSizeValue> floorRate =
      new Knob<>(
          Setting.byteSizeSetting(
              PREFIX + ".floor_rate",
              new ByteSizeValue(FLOOR_RATE),
              ByteSizeValue.ZERO,
              new ByteSizeValue(1 << 30),
              Property.NodeScope,
              Property.Dynamic),
          "How many bytes per second a client must read of a response that waits, taken "
              + "over `stall_timeout`. A slower client is disconnected. With `0b` only a client "
              + "that reads nothing is.");
  final Knob<TimeValue> stall =
      new Knob<>(
          time("stall_timeout", STALL),
          "How long a client may read nothing of a response that waits. Then it is "
              + "disconnected.");
  final Knob<TimeValue> pressedStall =
      new Knob<>(
          time("pressed_stall_timeout", PRESSED_STALL),
          "The same time-out, while more bytes wait than `node` allows.");

  private static Setting<TimeValue> time(String name, TimeValue byDefault) {
    return Checked.time(
        PREFIX + "." + name,
        byDefault,
        TimeValue.timeValueSeconds(1),
        TimeValue.timeValueMinutes(10),
        Property.NodeScope,
        Property.Dynamic);
  }

  List<Knob<?>> knobs() {
    return List.of(node, pipelining, floorRate, stall, pressedStall);
  }
}
