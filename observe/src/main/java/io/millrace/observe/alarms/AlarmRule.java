package io.millrace.observe.alarms;

import io.millrace.kernel.settings.Knob;
import java.util.List;

/**
 * One alarm, all of it: its name, the settings from which on it fires, how it is read from what the
 * node counts, and what to say and do. {@link AlarmRules} lists them; nothing else names one.
 */
interface AlarmRule {
  /** Stable, lower case with underscores. */
  String name();

  /** Its settings; the first is the threshold, and 0 there switches this alarm off. */
  List<Knob<?>> knobs();

  /**
   * Judges a reading.
   *
   * @param then the reading of a minute ago, to tell what was counted since
   */
  Alarm judge(Reading then, Reading now);

  /** Forgets what earlier readings said; for rules that need several in a row. */
  default void forget() {}
}
