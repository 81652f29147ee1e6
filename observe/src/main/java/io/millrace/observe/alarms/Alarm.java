package io.millrace.observe.alarms;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One thing that may need somebody.
 *
 * @param name stable, lower case with underscores
 * @param value what was found, in the unit of the threshold
 * @param what one sentence: what is wrong
 * @param action one sentence: what to do
 */
record Alarm(
    String name,
    Severity severity,
    boolean firing,
    double value,
    double threshold,
    String what,
    String action) {

  enum Severity {
    WARNING,
    CRITICAL
  }

  Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("firing", firing);
    report.put("severity", severity.name().toLowerCase(Locale.ROOT));
    report.put("value", value);
    report.put("threshold", threshold);
    report.put("what", what);
    report.put("action", action);
    return report;
  }
}
