package io.millrace.observe.alarms;

import io.millrace.kernel.settings.Knob;
import io.millrace.observe.alarms.Alarm.Severity;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.opensearch.common.unit.TimeValue;

/**
 * Fires while one figure has reached its threshold.
 *
 * @param threshold a count, or a time that is compared in milliseconds
 * @param figure what the node says of it
 * @param sinceAMinute whether the figure is a counter of which the last minute is judged; else it
 *     is a state, judged as it is
 * @param what one sentence: what is wrong
 * @param action one sentence: what to do
 */
record ThresholdRule(
    String name,
    Severity severity,
    Knob<?> threshold,
    ToLongFunction<Reading> figure,
    boolean sinceAMinute,
    String what,
    Function<Reading, String> action)
    implements AlarmRule {

  @Override
  public List<Knob<?>> knobs() {
    return List.of(threshold);
  }

  @Override
  public Alarm judge(Reading then, Reading now) {
    long value = figure.applyAsLong(now) - (sinceAMinute ? figure.applyAsLong(then) : 0);
    long least = least();
    return new Alarm(
        name,
        severity,
        least > 0 && value >= least,
        Math.max(0, value),
        least,
        what,
        action.apply(now));
  }

  private long least() {
    return threshold.value() instanceof TimeValue time
        ? time.millis()
        : ((Number) threshold.value()).longValue();
  }
}
