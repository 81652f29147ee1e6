package io.millrace.guard.lanes;

import io.millrace.guard.lanes.History.Use;
import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The settings of {@code guard.search-lanes}. */
final class LaneLimits {
  /** What uses so small a part of what makes a search heavy is light. */
  private static final int LIGHT_PART = 10;

  private static final String PREFIX = Feature.prefix(SearchLanesFeature.ID);

  final Knob<TimeValue> heavyCpu =
      new Knob<>(
          Checked.time(
              PREFIX + ".heavy_cpu",
              TimeValue.timeValueMillis(250),
              TimeValue.timeValueMillis(1),
              Property.NodeScope,
              Property.Dynamic),
          "A search that uses more CPU time than this on one shard is heavy.");
  final Knob<ByteSizeValue> heavyMemory =
      new Knob<>(
          Checked.memory(
              PREFIX + ".heavy_memory",
              "10%",
              ByteSizeValue.ZERO,
              Property.NodeScope,
              Property.Dynamic),
          "A search that allocates more memory than this on one shard is heavy: bytes, or a share"
              + " of the heap. What it gave back meanwhile counts.");
  final Knob<Integer> mediumAtOnce =
      new Knob<>(
          Setting.intSetting(
              PREFIX + ".medium_at_once", 0, 0, Property.NodeScope, Property.Dynamic),
          "Searches of shards that run at once on a node of those that use less than a heavy one,"
              + " but more than a tenth of it. 0: as many as stock has threads for all searches,"
              + " one and a half for each processor and one more.");
  final Knob<Integer> heavyAtOnce =
      new Knob<>(
          Setting.intSetting(PREFIX + ".heavy_at_once", 0, 0, Property.NodeScope, Property.Dynamic),
          "Heavy searches of shards that run at once on a node. 0: as many as the node has"
              + " processors.");
  final Knob<ByteSizeValue> heavyHeap =
      new Knob<>(
          Checked.memory(
              PREFIX + ".heavy_heap",
              "50%",
              ByteSizeValue.ZERO,
              Property.NodeScope,
              Property.Dynamic),
          "While more than this survived the last collection, one heavy search runs at a time:"
              + " bytes, or a share of the heap.");
  final Knob<Integer> share =
      new Knob<>(
          Setting.intSetting(PREFIX + ".share", 30, 1, 100, Property.NodeScope, Property.Dynamic),
          "Percent of the processors' time that medium and heavy searches get together while"
              + " writes and light searches want it as well. 100: they never give way.");
  final Knob<TimeValue> maxWait =
      new Knob<>(
          Checked.time(
              PREFIX + ".max_wait",
              TimeValue.timeValueSeconds(30),
              TimeValue.timeValueMillis(1),
              Property.NodeScope,
              Property.Dynamic),
          "A search that has waited this long for its turn gets 429; sooner when its own"
              + " `timeout` is over.");
  final Knob<Integer> queue =
      new Knob<>(
          Setting.intSetting(PREFIX + ".queue", 1_000, 1, Property.NodeScope, Property.Dynamic),
          "Searches of shards that may wait for their turn on a node; a further one gets 429.");
  final Knob<Integer> threads =
      new Knob<>(
          Setting.intSetting(
              PREFIX + ".threads", 32, 0, 1_000, Property.NodeScope, Property.Dynamic),
          "Threads that the pool `search` has at least, so that light searches find one while"
              + " heavy ones hold theirs. 0, or `thread_pool.search.size` in the node's"
              + " configuration, leaves the pool as it is.");

  /** Where a search belongs that uses this. */
  Lane laneOf(Use use) {
    if (over(use, 1)) {
      return Lane.HEAVY;
    }
    return over(use, LIGHT_PART) ? Lane.MEDIUM : Lane.LIGHT;
  }

  private boolean over(Use use, int part) {
    return use.cpuNanos() > heavyCpu.value().nanos() / part
        || use.bytes() > heavyMemory.value().getBytes() / part;
  }

  List<Knob<?>> knobs() {
    return List.of(
        heavyCpu,
        heavyMemory,
        mediumAtOnce,
        heavyAtOnce,
        heavyHeap,
        share,
        maxWait,
        queue,
        threads);
  }
}
