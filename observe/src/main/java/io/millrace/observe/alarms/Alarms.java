package io.millrace.observe.alarms;

import io.millrace.kernel.report.NodeReportSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges readings by the rules. Counts are judged over the last minute. An alarm on a count
 * therefore fires with the first reading after the event (there is one every five seconds) and ends
 * a minute after the last event. While no reading is a minute old, the first one is compared with.
 */
public final class Alarms implements NodeReportSource {
  private static final long MINUTE = 60_000_000_000L;

  private final List<AlarmRule> rules;
  private final Deque<Reading> readings = new ArrayDeque<>();
  private final Map<String, Long> firingSinceMillis = new HashMap<>();
  private List<Alarm> alarms = List.of();
  private long fired;

  /**
   * @param rules which alarms there are, in the order in which they are shown
   */
  Alarms(List<AlarmRule> rules) {
    this.rules = rules;
  }

  /**
   * Takes a reading.
   *
   * @param wallMillis the time of day, for {@code since}
   * @return the alarms that started or ended with it
   */
  synchronized List<Alarm> read(Reading now, long wallMillis) {
    readings.addLast(now);
    Reading then = aMinuteBefore(now);
    alarms = rules.stream().map(rule -> rule.judge(then, now)).toList();
    List<Alarm> changed = new ArrayList<>();
    for (Alarm alarm : alarms) {
      if (alarm.firing() && firingSinceMillis.putIfAbsent(alarm.name(), wallMillis) == null) {
        fired++;
        changed.add(alarm);
      } else if (!alarm.firing() && firingSinceMillis.remove(alarm.name()) != null) {
        changed.add(alarm);
      }
    }
    return changed;
  }

  /**
   * The last reading that is a minute old, else the first: after a stall in which nobody could read
   * it is the one from before the stall, however old, so that what the stall did is counted.
   */
  private Reading aMinuteBefore(Reading now) {
    Reading then = readings.removeFirst();
    while (!readings.isEmpty() && now.nanos() - readings.getFirst().nanos() >= MINUTE) {
      then = readings.removeFirst();
    }
    readings.addFirst(then);
    return then;
  }

  /** Forgets everything; for the switch. */
  synchronized void clear() {
    readings.clear();
    alarms = List.of();
    firingSinceMillis.clear();
    rules.forEach(AlarmRule::forget);
  }

  /** The alarms of the last reading; empty before the first. */
  synchronized List<Alarm> alarms() {
    return alarms;
  }

  /** How often an alarm started. */
  synchronized long fired() {
    return fired;
  }

  @Override
  public synchronized Map<String, Object> report() {
    Map<String, Object> byName = new LinkedHashMap<>();
    int firing = 0;
    for (Alarm alarm : alarms) {
      Map<String, Object> one = new LinkedHashMap<>(alarm.report());
      Long since = firingSinceMillis.get(alarm.name());
      if (since != null) {
        one.put("since_in_millis", since);
        firing++;
      }
      byName.put(alarm.name(), one);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("firing", firing);
    report.put("alarms", byName);
    return report;
  }
}
