package io.millrace.observe.alarms;

import io.millrace.kernel.settings.Knob;
import io.millrace.observe.alarms.Alarm.Severity;
import java.util.List;
import org.opensearch.common.unit.TimeValue;

/** Fires when the heap after collection was too high for long: a collection more would not help. */
final class HeapHighRule implements AlarmRule {
  private final Knob<Integer> percent;
  private final Knob<TimeValue> time;
  private long highSince = Long.MIN_VALUE;

  /**
   * @param percent of the heap's limit from which on it is too high
   * @param time for how long it must be
   */
  HeapHighRule(Knob<Integer> percent, Knob<TimeValue> time) {
    this.percent = percent;
    this.time = time;
  }

  @Override
  public String name() {
    return "heap_high";
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(percent, time);
  }

  @Override
  public Alarm judge(Reading then, Reading now) {
    double heap = now.heapAfterRatio() * 100;
    int most = percent.value();
    if (most == 0 || heap < most) {
      highSince = Long.MIN_VALUE;
    } else if (highSince == Long.MIN_VALUE) {
      highSince = now.nanos();
    }
    return new Alarm(
        name(),
        Severity.WARNING,
        highSince != Long.MIN_VALUE && now.nanos() - highSince >= time.value().nanos(),
        Math.round(heap),
        most,
        "Most of the heap survives collections",
        "Fewer shards, smaller caches, or a larger heap (half of the memory, at most 31 GB)");
  }

  @Override
  public void forget() {
    highSince = Long.MIN_VALUE;
  }
}
