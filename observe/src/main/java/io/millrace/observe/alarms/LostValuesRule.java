package io.millrace.observe.alarms;

import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.observe.alarms.Alarm.Severity;
import io.millrace.observe.alarms.TaggedFigures.Figure;
import java.util.List;
import java.util.Map;

/**
 * Fires while documents lose values that their mapping does not take, and names the field and the
 * source that lose most: nothing is refused then, so no client hears of it.
 */
final class LostValuesRule implements AlarmRule {
  private final Knob<Long> least;

  /**
   * @param least documents of a minute from which on it fires
   */
  LostValuesRule(Knob<Long> least) {
    this.least = least;
  }

  @Override
  public String name() {
    return "lost_values";
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(least);
  }

  @Override
  public Alarm judge(Reading then, Reading now) {
    Figure lost = now.figure(Tag.LOST_VALUES);
    long threshold = least.value();
    return new Alarm(
        name(),
        Severity.WARNING,
        threshold > 0 && lost.value() >= threshold,
        lost.value(),
        threshold,
        what(lost.most()),
        "Map the field as its sender writes it, or mend the sender; see GET /_millrace/ignored");
  }

  private static String what(Map<String, String> most) {
    String field = most.get("field");
    if (field == null) {
      return "Documents are indexed whole";
    }
    String source = most.getOrDefault("source", "");
    return "Documents are indexed without values that their mapping does not take, most of them in"
        + " field ["
        + field
        + "] of "
        + (source.isEmpty() ? "an unnamed source" : "source [" + source + "]")
        + " in index ["
        + most.getOrDefault("index", "")
        + "]";
  }
}
