package io.millrace.observe.alarms;

import io.millrace.kernel.settings.Knob;
import io.millrace.observe.alarms.Alarm.Severity;
import java.util.List;

/**
 * Fires when writes are late by their index's promise in two readings in a row. A wait is a state,
 * not a count: a single one of four seconds, where one second is promised, passes by itself on a
 * node that merges, collects or just started, and nobody can do anything about it (1.83 times the
 * promise after the start of a node in QuietHourIT, on a busy machine).
 */
final class LateRefreshRule implements AlarmRule {
  private static final int LATE_READINGS = 2;

  private final Knob<Double> lag;
  private int lateReadings;

  /**
   * @param lag waiting time as a multiple of the promise
   */
  LateRefreshRule(Knob<Double> lag) {
    this.lag = lag;
  }

  @Override
  public String name() {
    return "refresh_lag";
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(lag);
  }

  @Override
  public Alarm judge(Reading then, Reading now) {
    double most = lag.value();
    lateReadings = most > 0 && now.mostLate() >= most ? lateReadings + 1 : 0;
    return new Alarm(
        name(),
        Severity.WARNING,
        lateReadings >= LATE_READINGS,
        Math.round(now.mostLate() * 100) / 100.0,
        most,
        now.latestIndex().isEmpty()
            ? "Writes are searchable in time"
            : "Writes to [" + now.latestIndex() + "] wait longest against their promise",
        "Look at GET /_millrace/freshness, the refresh thread pool and the disk");
  }

  @Override
  public void forget() {
    lateReadings = 0;
  }
}
