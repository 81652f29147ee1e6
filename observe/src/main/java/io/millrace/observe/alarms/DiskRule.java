package io.millrace.observe.alarms;

import io.millrace.kernel.settings.Knob;
import io.millrace.observe.alarms.Alarm.Severity;
import io.millrace.observe.alarms.Reading.Watermark;
import java.util.List;
import java.util.function.Supplier;

/**
 * Fires when a data path is past a watermark; the thresholds are the cluster's own.
 *
 * @param relief what would free the disk, as a sentence; empty where nobody knows
 */
record DiskRule(Supplier<String> relief) implements AlarmRule {
  @Override
  public String name() {
    return "disk";
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of();
  }

  @Override
  public Alarm judge(Reading then, Reading now) {
    return new Alarm(
        name(),
        now.disk().compareTo(Watermark.HIGH) >= 0 ? Severity.CRITICAL : Severity.WARNING,
        now.disk() != Watermark.NONE,
        Math.round(now.diskFreeRatio() * 1000) / 10.0,
        now.disk().ordinal(),
        switch (now.disk()) {
          case NONE -> "Every data path is below the low watermark";
          case LOW -> "A data path is past the low watermark: no new shards come here";
          case HIGH -> "A data path is past the high watermark: shards are moved away";
          case FLOOD_STAGE -> "A data path is past the flood stage: writes are blocked";
        },
        action());
  }

  private String action() {
    String known = relief.get();
    return "Delete or move old indices, or add disk; see GET _cat/allocation"
        + (known.isEmpty() ? "" : ". " + known);
  }
}
