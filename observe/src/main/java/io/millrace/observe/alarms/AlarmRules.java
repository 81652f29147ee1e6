package io.millrace.observe.alarms;

import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.observe.alarms.Alarm.Severity;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;

/** Every alarm of a node, in the order in which they are shown; one entry is the whole alarm. */
final class AlarmRules {
  private final String prefix;

  /**
   * @param prefix of the settings, without the dot at its end
   */
  AlarmRules(String prefix) {
    this.prefix = prefix;
  }

  /** New rules, one set per node. */
  List<AlarmRule> all() {
    return List.of(
        counted(
            "allocation_stalls",
            Severity.CRITICAL,
            "Allocation stalls in a minute from which on the alarm fires; 0: never.",
            Reading::allocationStalls,
            "Threads wait for ZGC to free memory",
            now ->
                "Raise the heap or ConcGCThreads, or take load off the node; see GET /_millrace/gc"),
        counted(
            "full_collections",
            Severity.CRITICAL,
            "Full collections in a minute from which on the alarm fires; 0: never.",
            Reading::fullCollections,
            "A full collection stopped every thread",
            now -> "Find what fills the heap: breakers, fielddata, large bulks and aggregations"),
        new HeapHighRule(
            new Knob<>(
                Setting.intSetting(
                    prefix + ".heap_percent", 85, 0, 100, Property.NodeScope, Property.Dynamic),
                "Heap after collection, in percent of its limit, too high; 0: never."),
            time(
                "heap_for",
                TimeValue.timeValueMinutes(5),
                "For how long the heap must be too high.")),
        counted(
            "rejected_writes",
            Severity.CRITICAL,
            "Refused writes in a minute from which on the alarm fires; 0: never.",
            Reading::rejectedWrites,
            "Writes are refused",
            now ->
                "Clients must retry with a pause; look for hot shards, merges that hold back, slow"
                    + " disks"),
        counted(
            "rejected_searches",
            Severity.WARNING,
            "Refused searches in a minute from which on the alarm fires; 0: never.",
            Reading::rejectedSearches,
            "Searches are refused",
            now -> "Look for slow and wide searches: GET _tasks?actions=*search&detailed"),
        counted(
            "breaker_trips",
            Severity.WARNING,
            "Requests refused by breakers in a minute from which on the alarm fires; 0: never.",
            Reading::breakerTrips,
            "Circuit breakers refuse requests",
            now ->
                "Make requests smaller: bulk size, aggregation size, fielddata; see GET"
                    + " _nodes/stats/breaker"),
        new LateRefreshRule(
            new Knob<>(
                Setting.doubleSetting(
                    prefix + ".refresh_lag", 2, 0, 1000, Property.NodeScope, Property.Dynamic),
                "How many times its promise (plus a second) a write may wait for its search; 0:"
                    + " any.")),
        new ThresholdRule(
            "merge_debt",
            Severity.WARNING,
            time(
                "merge_throttled",
                TimeValue.timeValueSeconds(3),
                "Time in a minute for which merges hold indexing back from which on the alarm fires;"
                    + " 0: never."),
            Reading::throttledMillis,
            true,
            "Merges hold indexing back",
            now ->
                "The disk is slower than the writes: longer refresh interval, faster disk, more"
                    + " nodes"),
        new ThresholdRule(
            "uploads_wait",
            Severity.WARNING,
            time(
                "uploads_wait",
                TimeValue.timeValueSeconds(2),
                "For how long a request body may wait for memory before the alarm fires; 0: any"
                    + " time."),
            now -> now.figure(Tag.UPLOAD_WAIT).value(),
            false,
            "Request bodies wait for memory before they are read: more comes than the node takes",
            now ->
                "Fewer or smaller bulks at once, look for clients that stall, or add nodes; see GET"
                    + stats(now, Tag.UPLOAD_WAIT)),
        counted(
            "slow_uploads",
            Severity.WARNING,
            "Request bodies refused or closed in a minute, for lack of memory or of bytes, from"
                + " which on the alarm fires; 0: never.",
            now -> now.figure(Tag.REFUSED_UPLOADS).value(),
            "Request bodies waited too long for memory (429) or came too slowly and were closed",
            now ->
                "Look for clients that stall and for bulks that are too large or too many at once;"
                    + " see GET"
                    + stats(now, Tag.REFUSED_UPLOADS)),
        counted(
            "slow_readers",
            Severity.WARNING,
            "Clients closed because they do not read, in a minute, from which on the alarm fires;"
                + " 0: never.",
            now -> now.figure(Tag.CLOSED_READERS).value(),
            "Clients that do not read their responses were closed",
            now ->
                "Look for clients that hang or ask for more than they read: deep pages, pipelined"
                    + " searches; the log names their addresses"),
        counted(
            "requests_stopped",
            Severity.WARNING,
            "Searches and bulks stopped by the guards in a minute from which on the alarm fires; 0:"
                + " never.",
            now -> now.figure(Tag.STOPPED_REQUESTS).value(),
            "Searches or bulks were stopped before they filled the heap",
            now ->
                "The log names each with its source: fewer buckets, hits and collected values,"
                    + " smaller bulks"),
        new DiskRule());
  }

  /** An alarm on a counter; the setting has the alarm's name. */
  private AlarmRule counted(
      String name,
      Severity severity,
      String doc,
      ToLongFunction<Reading> counter,
      String what,
      Function<Reading, String> action) {
    Knob<Long> least =
        new Knob<>(
            Setting.longSetting(prefix + "." + name, 1, 0, Property.NodeScope, Property.Dynamic),
            doc);
    return new ThresholdRule(name, severity, least, counter, true, what, action);
  }

  private Knob<TimeValue> time(String name, TimeValue byDefault, String doc) {
    return new Knob<>(
        Setting.timeSetting(
            prefix + "." + name, byDefault, TimeValue.ZERO, Property.NodeScope, Property.Dynamic),
        doc);
  }

  /** Where the features that count under a tag show their figures. */
  private static String stats(Reading now, Tag tag) {
    return " /_millrace/stats?feature=" + now.figure(tag).features();
  }
}
