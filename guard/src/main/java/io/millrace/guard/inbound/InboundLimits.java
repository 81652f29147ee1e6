package io.millrace.guard.inbound;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The settings of {@code guard.inbound-budget}. */
final class InboundLimits {
  static final long SMALL_BODY = 8 << 20;
  static final TimeValue MAX_WAIT = TimeValue.timeValueSeconds(10);
  static final long FLOOR_RATE = 16 << 10;
  static final TimeValue FLOOR_WINDOW = TimeValue.timeValueSeconds(5);
  static final int QUEUED_WRITES = 1;

  private static final String PREFIX = Feature.prefix(InboundBudgetFeature.ID);
  private static final ByteSizeValue LEAST = new ByteSizeValue(1 << 20);

  final Knob<ByteSizeValue> small =
      new Knob<>(
          ofHeap("small", "7%"),
          "How much memory bodies of at most `small_body` may hold together, from their "
              + "header until their response: bytes, or a share of the heap. Bulks count again "
              + "in `indexing_pressure.memory.limit` (10 %), so keep it below that.");
  final Knob<ByteSizeValue> large =
      new Knob<>(
          ofHeap("large", "15%"),
          "How much memory larger bodies may hold together: bytes, or a share of the "
              + "heap. One body may exceed it when it is the only one.");
  final Knob<ByteSizeValue> smallBody =
      new Knob<>(
          Setting.byteSizeSetting(
              PREFIX + ".small_body",
              new ByteSizeValue(SMALL_BODY),
              new ByteSizeValue(InboundBudget.FREE),
              new ByteSizeValue(Integer.MAX_VALUE),
              Property.NodeScope,
              Property.Dynamic),
          "The largest body that counts as small, in bytes.");
  final Knob<TimeValue> maxWait =
      new Knob<>(
          Checked.time(
              PREFIX + ".max_wait",
              MAX_WAIT,
              TimeValue.ZERO,
              TimeValue.timeValueMinutes(5),
              Property.NodeScope,
              Property.Dynamic),
          "How long a request may wait for memory before it gets 429 with `Retry-After`. "
              + "Clients must be ready to wait that long.");
  final Knob<ByteSizeValue> floorRate =
      new Knob<>(
          Setting.byteSizeSetting(
              PREFIX + ".floor_rate",
              new ByteSizeValue(FLOOR_RATE),
              new ByteSizeValue(0),
              new ByteSizeValue(1 << 30),
              Property.NodeScope,
              Property.Dynamic),
          "A client that sends a body more slowly than this, in bytes per second, is "
              + "disconnected. `0b` disconnects nobody.");
  final Knob<TimeValue> floorWindow =
      new Knob<>(
          Checked.time(
              PREFIX + ".floor_window",
              FLOOR_WINDOW,
              TimeValue.timeValueSeconds(1),
              TimeValue.timeValueMinutes(10),
              Property.NodeScope,
              Property.Dynamic),
          "The time over which the rate of a sender is computed.");
  final Knob<Integer> queuedWrites =
      new Knob<>(
          Setting.intSetting(
              PREFIX + ".queued_writes",
              QUEUED_WRITES,
              0,
              1000,
              Property.NodeScope,
              Property.Dynamic),
          "How many writes may wait for each write thread. While more wait, further "
              + "request bodies stay in the fair line in front of the write queue. `0` lets in "
              + "every body that fits the budgets.");

  private static Setting<ByteSizeValue> ofHeap(String name, String byDefault) {
    return Checked.memory(
        PREFIX + "." + name, byDefault, LEAST, Property.NodeScope, Property.Dynamic);
  }

  List<Knob<?>> knobs() {
    return List.of(small, large, smallBody, maxWait, floorRate, floorWindow, queuedWrites);
  }
}
